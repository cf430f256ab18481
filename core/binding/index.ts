export {
  encodeBinding,
  encodeCoordinatorBinding,
  encodeCreateKeyBinding,
  encodeSignBinding,
  reportData,
  type CoordinatorBinding,
  type CreateKeyBinding,
  type SignBinding,
} from './reportData.js'
