export {
  encodeBinding,
  encodeChangeOwnersBinding,
  encodeCoordinatorBinding,
  encodeCreateKeyBinding,
  encodeResealBinding,
  encodeSignBinding,
  encodeSignMessageBinding,
  reportData,
  text,
  uint,
  type SignBinding,
  type SignMessageBinding,
} from './reportData.js'
