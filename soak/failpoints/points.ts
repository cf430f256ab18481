import { failpointsOf } from '../../tests/rigs/failpoints.js'

/** Where a worker can be told to die: before and after every numbered step of signing and publishing. */
export const failpoints: readonly string[] = [...failpointsOf('sign'), ...failpointsOf('publish')]
