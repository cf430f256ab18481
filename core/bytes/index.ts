export { canonicalJson, type Json } from './canonicalJson.js'
export { cidOf, parseRawCid, verifyCid } from './cid.js'
export { concatBytes, equalBytes, fromHex, toHex, type Hex, type UnixSeconds } from './hex.js'
export { parseStrictJson } from './strictJson.js'
