import { expect, test } from 'vitest'
import { ServiceError } from '../../core/errors/index.js'
import { fixtureCases, fixtureCollateral, fixtureFile } from '../../core/tdx/testing/fixtures.js'
import { createTdxCases } from '../../core/tdx/testing/tdxCases.js'
import { parseQuoteCollateral, verifyQuote } from '../../core/tdx/index.js'
import { askOracle, findOracle, type OracleTask } from './oracle.js'

const firstLevelWins = 'dcap-qvl takes the first of two levels for one SVN; Intel’s library refuses them as we do'
const serviceTd = 'dcap-qvl looks at MRSERVICETD only; these hashes name a service TD or a migration policy as well'
const bareCrl = 'dcap-qvl does not look for number and authority key id; Intel’s library asks for both'

/** Where PyPI's dcap-qvl 0.7.0 answers otherwise, and why we keep our answer. Any other difference fails the test. */
const explained: Record<string, string> = {
  'a foreign PCK chain offered by the collateral, which the quote’s own outranks':
    'dcap-qvl lets collateral replace the chain inside the quote; we read it only when the quote has none',
  'a TD that had a service TD on its first host': serviceTd,
  'a TD whose service TD only TD report 1.5ex names': serviceTd,
  'a quoting enclave with a status that Intel’s quoting enclaves do not have':
    'dcap-qvl takes it for up to date; Intel’s library refuses the identity as we do',
  'bytes after the quote': 'dcap-qvl ignores them; then one quote has many forms, and hashes of it mean nothing',
  'a root that did not sign itself': 'dcap-qvl reads name and key of the root only; we check that it is what it says',
  'an expired root': 'dcap-qvl does not look at the root’s validity; Intel’s library does',
  'TCB info of another type':
    'dcap-qvl does not read tcbType; Intel defines 0 alone, so another one may compare otherwise',
  'two platform levels with equal SVNs': firstLevelWins,
  'two module levels with equal SVNs': firstLevelWins,
  'two quoting enclave levels with equal SVNs': firstLevelWins,
  'a PCK CRL without a number': bareCrl,
  'a root CRL without a key id': bareCrl,
  'a CRL from the future': 'dcap-qvl checks nextUpdate only',
  'TCB info signed by a PCK': 'dcap-qvl does not check roles, so one leaked PCK key could vouch for every platform',
  'a PCK in the TCB signer’s role': 'the same the other way round; Intel’s library checks the names as we do',
  'TCB info of another PCE': 'dcap-qvl does not compare the PCE id; Intel’s library does',
}

const python = findOracle()
if (!python)
  test.skip('agrees with PyPI’s dcap-qvl 0.7.0 (it could not be installed: python3, venv and PyPI are needed)')

test.skipIf(!python)('agrees with PyPI’s dcap-qvl 0.7.0 except where explained', async () => {
  const tasks = [...(await mintedTasks()), ...fixtureTasks()]
  const theirs = await askOracle(python as string, tasks)
  const differences: string[] = []
  for (const [index, task] of tasks.entries()) {
    const answer = theirs[index] as (typeof theirs)[number]
    const their = 'error' in answer ? 'refused' : `${answer.status} ${answer.advisoryIds.join()}`
    const our = await verifyQuote(task.quote, task.collateral, task.root, task.now).then(
      ({ tcbStatus, advisoryIds }) => `${tcbStatus} ${advisoryIds.join()}`,
      (error: unknown) => (error instanceof ServiceError ? 'refused' : String(error)),
    )
    if (our !== their) differences.push(`${task.name}: ours ${our}, theirs ${their}`)
  }
  const names = differences.map((line) => line.split(': ours')[0] as string)
  expect(differences.filter((_, i) => !Object.hasOwn(explained, names[i] as string))).toEqual([])
  expect(Object.keys(explained).filter((name) => !names.includes(name))).toEqual([])
})

type NamedTask = OracleTask & { name: string }

/** Cases whose input is not even of the right type cannot be asked of another program. */
async function mintedTasks(): Promise<NamedTask[]> {
  return (await createTdxCases()).filter(({ collateral, root, now }) => {
    try {
      parseQuoteCollateral(collateral)
      return root instanceof Uint8Array && Number.isInteger(now)
    } catch {
      return false
    }
  })
}

function fixtureTasks(): NamedTask[] {
  return fixtureCases('tdx').map((item) => ({
    name: item.name,
    quote: fixtureFile('tdx', item['quote']),
    collateral: fixtureCollateral(item['collateral']),
    root: fixtureFile('tdx', item['root']),
    now: item.nowUnix,
  }))
}
