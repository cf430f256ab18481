export { sweepLimits, takeFromLimit, type LimitState } from './takeFromLimit.js'
