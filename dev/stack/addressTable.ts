import type { StackFile } from './stackFile.js'

/** The addresses a person wants to open or point a tool at. */
export function addressTable(file: StackFile, logs: string): string {
  const database = new URL(file.databaseUrl)
  const rows = [
    ['Web app', file.webUrl],
    ['API', file.apiUrl],
    ...(file.temporalUiUrl ? [['Temporal UI', `${file.temporalUiUrl}/namespaces/${file.namespace}/workflows`]] : []),
    ['Temporal', `${file.temporalAddress}  namespace ${file.namespace}`],
    ['Chain', `${file.rpcUrl}  chain ${file.chainId} (anvil)`],
    ['Contract', file.contractAddress],
    [
      'IPFS',
      `${file.ipfsApiUrl}  gateway ${file.ipfsGatewayUrl}${file.processes['kubo'] ? '' : '  (not running yet)'}`,
    ],
    ['Postgres', `${database.host}${database.pathname}  address with password in stack.json`],
    ['Logs', logs],
  ]
  const width = Math.max(...rows.map(([name = '']) => name.length)) + 2
  return rows.map(([name = '', value = '']) => `  ${name.padEnd(width)}${value}`).join('\n')
}
