export { canonicalJson, type Json } from './canonicalJson.js'
export { cidOf, verifyCid } from './cid.js'
export { concatBytes, equalBytes, fromHex, toHex, type Hex, type UnixSeconds } from './hex.js'
export { parseStrictJson } from './strictJson.js'
