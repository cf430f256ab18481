export { chainConfigOf, deployForTests, freshPublisher, fund, letPublish, type TestChain } from './chain.js'
export { components, provideComponents } from './components.js'
export { freshDatabase, freshNamespace, namespaceOfOwn, openFresh, useDatabase, type FreshDatabase } from './fresh.js'
