import { InvalidArgumentError, type Command } from 'commander'
import type { Choose } from '../Outcome.js'
import { withOperator } from '../withOperator.js'
import { announceList, type AnnounceOptions } from './announceList.js'
import { makeList, type MakeOptions } from './makeList.js'
import { showLists } from './showLists.js'
import { signList, type SignOptions } from './signList.js'
import { withdrawList, type WithdrawOptions } from './withdrawList.js'

const notes = `
Also needs RELEASES_ADDRESS, MEASUREMENTS_PUBLIC_KEY and MEASUREMENTS_FILE. docs/operations.md, "Releases", has the order.`

/** `npm run ops -- release …`: the public list of builds. */
export function addReleaseCommands(program: Command, operator: string | undefined, choose: Choose): void {
  const release = program
    .command('release')
    .description('make, sign, announce and withdraw lists of builds')
    .addHelpText('after', notes)

  release
    .command('show')
    .description('show every announced list; compare chain, IPFS and the list that the service uses')
    .action(() => choose(showLists))

  release
    .command('make')
    .description('write the next list, unsigned: the newest one without some builds and with others')
    .option('--enclave <file>', 'the entry of an enclave build that joins; repeatable', collect, [])
    .option('--app-compose <file>', 'its compose file: gives its compose hash and key provider')
    .option('--coordinator <file>', 'the entry of a coordinator build that joins; repeatable', collect, [])
    .option('--without <name>', 'leave out the build of this name; repeatable', collect, [])
    .option('--from <file>', 'the newest list (default: MEASUREMENTS_FILE)')
    .option('--expires <time>', 'when programs stop using the list, such as 2027-01-31T00:00:00Z')
    .requiredOption('--out <file>', 'where to write it')
    .action((options: MakeOptions) => choose((config) => makeList(config, options)))

  release
    .command('sign')
    .description('sign a list with the release key; needs no network')
    .argument('<file>', 'the unsigned list')
    .requiredOption('--key <file>', 'the Ed25519 release key, PEM or hex')
    .requiredOption('--out <file>', 'where to write measurements.json')
    .action((file: string, options: SignOptions) => choose((config) => signList(config, file, options)))

  withOwner(withOperator(release.command('announce'), operator))
    .description('pin a signed list, announce it on the chain and wait until that is confirmed; safe to repeat')
    .argument('<file>', 'the signed list')
    .option('--install', 'then replace MEASUREMENTS_FILE with it')
    .action((file: string, options: AnnounceOptions) => choose((config) => announceList(config, file, options)))

  withOwner(withOperator(release.command('withdraw'), operator))
    .description('withdraw an announced list for good; safe to repeat')
    .argument('<version>', 'its version', parseVersion)
    .action((version: number, options: WithdrawOptions) => choose((config) => withdrawList(config, version, options)))
}

function withOwner(command: Command): Command {
  return command
    .option('--owner-key <file>', 'the key of the contract’s owner (or RELEASES_OWNER_KEY)')
    .option('--print-call', 'print the call for a multisig instead of sending it; exit code 3')
}

const collect = (text: string, before: string[]): string[] => [...before, text]

function parseVersion(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('Use a whole number from 1.')
  return Number(text)
}
