import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the identity providers of tests keep their state: its RSA key takes long to make, so all of them share it. */
export const identityFolder = join(tmpdir(), 'perigee-test-identity-1')
