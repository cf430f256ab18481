// The public key of a private one, which WebCrypto cannot give in every browser. Used only for recovery codes. Signing is WebCrypto's.
// Constants: SEC 2, section 2.4.2.
const p = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const generator = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
}

interface Point {
  x: bigint
  y: bigint
}

/** True for a private key of P-256. */
export function isScalar(value: bigint): boolean {
  return value > 0n && value < n
}

/** scalar * G, by doubling and adding. */
export function publicPoint(scalar: bigint): Point {
  let result: Point | null = null
  let power = generator
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = result ? add(result, power) : power
    power = add(power, power)
  }
  return result as Point
}

/** Never infinity here: of two different powers of two times G, or partial sums below n, none is the negative of another. */
function add(a: Point, b: Point): Point {
  const slope = a.x === b.x ? (3n * a.x * a.x - 3n) * inverse(2n * a.y) : (b.y - a.y) * inverse(b.x - a.x)
  const x = mod(slope * slope - a.x - b.x)
  return { x, y: mod(slope * (a.x - x) - a.y) }
}

const mod = (value: bigint) => ((value % p) + p) % p

/** Extended Euclid. */
function inverse(value: bigint): bigint {
  let [a, b, u, v] = [mod(value), p, 1n, 0n]
  while (a !== 0n) {
    const quotient = b / a
    ;[a, b, u, v] = [b - quotient * a, a, v - quotient * u, u]
  }
  return mod(v)
}
