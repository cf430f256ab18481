export {
  encodeBinding,
  encodeChangeOwnersBinding,
  encodeCoordinatorBinding,
  encodeCreateKeyBinding,
  encodeResealBinding,
  encodeSignBinding,
  reportData,
  text,
  uint,
  type SignBinding,
} from './reportData.js'
