export {
  encodeBinding,
  encodeCoordinatorBinding,
  encodeCreateKeyBinding,
  encodeSignBinding,
  reportData,
  type SignBinding,
} from './reportData.js'
