import { p256 } from '@noble/curves/p256'
import { vi } from 'vitest'
import { createSoftPasskey, type SoftPasskey } from '../../../core/authorisation/testing/createSoftPasskey.js'
import { base64url, hexOf } from '../encode.js'

interface Made {
  id: string
  passkey: SoftPasskey
}

/** A device: what it holds, and how its person answers. */
export interface SoftDevice {
  passkeys: Made[]
  declines: boolean
}

export type SoftAuthenticators = ReturnType<typeof createSoftAuthenticators>

/**
 * `navigator.credentials` with real P-256 keys: one device is at hand, and holds the passkeys that were made on it. It answers
 * as browsers do, with one error for every refusal.
 */
export function createSoftAuthenticators(origin = 'http://localhost:3000') {
  const { hostname } = new URL(origin)
  const devices: SoftDevice[] = []
  const prompts: string[] = []
  let atHand = addDevice()

  function addDevice(): SoftDevice {
    devices.push({ passkeys: [], declines: false })
    return devices.at(-1) as SoftDevice
  }

  function refuse(name = 'NotAllowedError'): never {
    throw Object.assign(new Error('refused'), { name })
  }

  async function create({ publicKey }: { publicKey: PublicKeyCredentialCreationOptions }) {
    prompts.push('create')
    const exclude = (publicKey.excludeCredentials ?? []).map(({ id }) => idOf(id))
    if (atHand.passkeys.some(({ id }) => exclude.includes(id))) refuse('InvalidStateError')
    if (atHand.declines) refuse()
    const id = base64url(crypto.getRandomValues(new Uint8Array(16)))
    const passkey = createSoftPasskey({ rpId: publicKey.rp.id ?? hostname, origin })
    atHand.passkeys.push({ id, passkey })
    const getPublicKey = () => spkiOf(passkey.publicKey)
    return { id, response: { getPublicKey, getPublicKeyAlgorithm: () => -7, ...attested?.(passkey.publicKey, id) } }
  }

  async function get({ publicKey, signal }: { publicKey: PublicKeyCredentialRequestOptions; signal?: AbortSignal }) {
    prompts.push('get')
    if (signal?.aborted) refuse('AbortError')
    const allowed = (publicKey.allowCredentials ?? []).map(({ id }) => idOf(id))
    const made = devices.flatMap((device) => (device === atHand || device === reachable ? device.passkeys : []))
    const found = made.find(({ id }) => allowed.includes(id))
    if (!found || atHand.declines) refuse()
    const { authenticatorData, clientDataJSON, signature } = found.passkey.get(hexOf(publicKey.challenge as Uint8Array))
    const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.slice(2), 'hex')).buffer
    return {
      id: found.id,
      response: {
        authenticatorData: bytes(authenticatorData),
        clientDataJSON: new TextEncoder().encode(clientDataJSON).buffer,
        signature: bytes(signature),
      },
    }
  }

  let reachable: SoftDevice | undefined
  let attested: ((publicKey: string, id: string) => object) | undefined
  const credentials = { create, get }
  const idOf = (id: BufferSource) => base64url(new Uint8Array(id as ArrayBuffer))
  return {
    /** For `navigator.credentials`. */
    credentials,
    /** Every prompt so far. */
    prompts,
    addDevice,
    /** The device at hand now; `near` is a second one that can also answer, as a phone beside a laptop does. */
    use(device: SoftDevice, near?: SoftDevice) {
      atHand = device
      reachable = near
    },
    device: () => atHand,
    /** What an add-on puts in place of the browser's own answers about a new passkey. */
    answerWith(members: typeof attested) {
      attested = members
    },
    /** Makes this the browser of the tests that run in this process. */
    install() {
      vi.stubGlobal('PublicKeyCredential', function PublicKeyCredential() {})
      vi.stubGlobal('navigator', { credentials })
      vi.stubGlobal('location', { hostname, origin })
    },
  }
}

const pointOf = (publicKey: string) => p256.ProjectivePoint.fromHex(publicKey.slice(2)).toRawBytes(false)

/** As an authenticator writes it, without an attestation. */
export function attestationOf(publicKey: string, id: string): ArrayBuffer {
  const point = pointOf(publicKey)
  const hex = (text: string) => Buffer.from(text, 'hex')
  const key = [hex('a5010203262001215820'), point.subarray(1, 33), hex('225820'), point.subarray(33)]
  const idBytes = Buffer.from(id, 'base64url')
  const head = [Buffer.alloc(32, 0x11), hex('5d00000000'), Buffer.alloc(16), Uint8Array.of(0, idBytes.length)]
  const data = Buffer.concat([...head, idBytes, ...key])
  const map = hex('a363666d74646e6f6e656761747453746d74a0686175746844617461')
  return Uint8Array.from([...map, 0x58, data.length, ...data]).buffer
}

/** As `AuthenticatorAttestationResponse.getPublicKey` gives it. */
export function spkiOf(publicKey: string): ArrayBuffer {
  const point = pointOf(publicKey)
  const prefix = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex')
  return Uint8Array.from([...prefix, ...point]).buffer
}
