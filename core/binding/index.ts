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
  type BoundBySigning,
} from './reportData.js'
