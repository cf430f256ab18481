export {
  encodeBinding,
  encodeChangeOwnersBinding,
  encodeCoordinatorBinding,
  encodeCreateKeyBinding,
  encodeSignBinding,
  reportData,
  text,
  uint,
  type SignBinding,
} from './reportData.js'
