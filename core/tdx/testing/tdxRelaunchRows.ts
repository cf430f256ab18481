import { tcbLevel } from '../../simulation/testing/index.js'
import { fine, levels, moduleLevels, oldModule, qeLevels, refused, withTcbInfo } from './tdxRecipe.js'
import type { Recipe, Row } from './tdxRecipe.js'

/** A TD 1.5 quote with the first bytes of both SVNs: module SVN, module version, SEAM loader, and one that is spare. */
const svns = (launch: string, current: string): Pick<Recipe, 'quote'> => ({
  quote: { version: 5, teeTcbSvn: `0x${launch.padEnd(32, '0')}`, teeTcbSvn2: `0x${current.padEnd(32, '0')}` },
})
const modules = (...list: Parameters<typeof moduleLevels>) => withTcbInfo(moduleLevels(...list))
const renewed = [tcbLevel({ tdx: [5, 0, 5] }, { tcbStatus: 'UpToDate' }), tcbLevel({}, { tcbStatus: 'OutOfDate' })]
const spareLevel = tcbLevel({ tdx: [5, 0, 3, 4] }, { tcbStatus: 'UpToDate' })
const middleModule = [
  { isvsvn: 7, tcbStatus: 'UpToDate' },
  { isvsvn: 6, tcbStatus: 'UpToDate' },
  { isvsvn: 5, tcbStatus: 'OutOfDate' },
]
const twoOld = [7, 5].map((isvsvn) => ({ isvsvn, tcbStatus: 'OutOfDate' }))

const advised: Row[] = [
  [
    'TD 1.5 launched on an old module, the newest loaded now',
    fine('TDRelaunchAdvised', 'INTEL-SA-01099'),
    { ...svns('050103', '070103'), ...modules(...oldModule) },
  ],
  [
    'TD 1.5 launched on an old module, a newer sound one loaded now',
    fine('TDRelaunchAdvised'),
    { ...svns('050103', '060103'), ...modules(...middleModule) },
  ],
  [
    'the same advice where configuration is needed too',
    fine('TDRelaunchAdvisedConfigurationNeeded', 'INTEL-SA-01099'),
    {
      ...svns('050103', '070103'),
      ...withTcbInfo({ ...levels('ConfigurationNeeded'), ...moduleLevels(...oldModule) }),
    },
  ],
  [
    'the same advice where the current level needs software hardening',
    fine('TDRelaunchAdvised', 'INTEL-SA-01099'),
    { ...svns('050103', '070103'), ...withTcbInfo({ ...levels('SWHardeningNeeded'), ...moduleLevels(...oldModule) }) },
  ],
  [
    'TD 1.5 launched on an outdated platform level, up to date now',
    fine('TDRelaunchAdvised'),
    { ...svns('050103', '050105'), ...withTcbInfo({ tcbLevels: renewed }) },
  ],
]

const notAdvised: Row[] = [
  [
    'TD 1.5 launched on an old module that is still loaded',
    fine('OutOfDate', 'INTEL-SA-01099'),
    { ...svns('050103', '050103'), ...modules(...oldModule) },
  ],
  [
    'TD 1.5 launched on an old module, a newer one loaded now that is outdated too',
    fine('OutOfDate'),
    { ...svns('050103', '070103'), ...modules(...twoOld) },
  ],
  [
    'TD 1.5 launched on a sound module, an outdated one loaded now: Intel’s library answers with the launch’s status',
    fine('UpToDate'),
    { ...svns('070103', '050103'), ...modules(...oldModule) },
  ],
  [
    'TD 1.5 with an outdated quoting enclave, which a relaunch does not renew',
    fine('OutOfDate', 'INTEL-SA-01099'),
    {
      ...svns('050103', '070103'),
      collateral: { tcbInfo: moduleLevels(...oldModule), qeIdentity: qeLevels('OutOfDate') },
    },
  ],
]

const refusedNow: Row[] = [
  ...refused('tcb_not_supported', {
    'TD 1.5 whose current SVN is all zero': svns('050103', ''),
    'TD 1.5 whose current SEAM loader is below every level': svns('050103', '050102'),
    'TD 1.5 on a current module of an unknown version': svns('050103', '050903'),
    'TD 1.5 on a current module below every level': svns('050103', '040103'),
    'TD 1.5 launched on an old module, now below every platform level': {
      ...svns('05010304', '070103'),
      ...withTcbInfo({ tcbLevels: [spareLevel], ...moduleLevels(...oldModule) }),
    },
  }),
  ...refused('tcb_revoked', {
    'TD 1.5 launched on a sound module, a revoked one loaded now': {
      ...svns('070103', '050103'),
      ...modules({ isvsvn: 7, tcbStatus: 'UpToDate' }, { isvsvn: 5, tcbStatus: 'Revoked' }),
    },
    'TD 1.5 launched on an old module, a revoked one loaded now': {
      ...svns('050103', '070103'),
      ...modules({ isvsvn: 7, tcbStatus: 'Revoked' }, { isvsvn: 5, tcbStatus: 'OutOfDate' }),
    },
  }),
]

/** TD 1.5 quotes say what the TD was launched on and what runs now; both are evaluated. */
export const relaunchRows: readonly Row[] = [...advised, ...notAdvised, ...refusedNow]
