export {
  encodeBinding,
  encodeCreateKeyBinding,
  encodeSignBinding,
  reportData,
  type CreateKeyBinding,
  type SignBinding,
} from './reportData.js'
