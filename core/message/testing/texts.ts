import { toHex, type Hex } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'

/** A sign-in message with every member. */
export const signInText = `service.example wants you to sign in with your Ethereum account:
0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826

I accept the Terms of Service: https://service.example/tos

URI: https://service.example/login
Version: 1
Chain ID: 1
Nonce: 32891756abc
Issued At: 2026-11-16T16:25:24Z
Expiration Time: 2026-11-17T16:25:24.000Z
Not Before: 2026-11-16T16:25:24+02:00
Request ID: some-id
Resources:
- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/
- https://example.com/my-web2-claim.json`

export const hexOfText = (text: string): Hex => toHex(new TextEncoder().encode(text))

/** `accepted`, or the code of the refusal. Any other error is a fault of ours. */
export function codeOf(run: () => unknown): string {
  try {
    run()
    return 'accepted'
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}
