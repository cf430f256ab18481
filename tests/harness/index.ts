export { chainConfigOf, deployForTests, freshPublisher, fund, type TestChain } from './chain.js'
export { components, provideComponents } from './components.js'
export { useDatabase } from './useDatabase.js'
export { freshDatabase, freshNamespace, namespaceOfOwn, type FreshDatabase } from './fresh.js'
