export { deployForTests, freshPublisher, fund, type TestChain } from './chain.js'
export { components, provideComponents, type Components } from './components.js'
export { freshDatabase, freshNamespace, type FreshDatabase } from './fresh.js'
