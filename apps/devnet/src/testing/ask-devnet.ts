import { evmNode } from '@holdfast/chain-evm/node'
import { nodePorts } from '@holdfast/ports/node'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { DevnetConfig } from '../index.ts'

export const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
export const bob = '0x1111111111111111111111111111111111111111'
export const { fetch, timer } = nodePorts
const folders: string[] = []

/** A configuration in a folder of its own, which goes when the tests of the file are over. */
export async function configFor(changes: Partial<DevnetConfig> = {}): Promise<DevnetConfig> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'devnet-'))
  folders.push(dataFolder)
  return { rpcPort: 0, faucetPort: 0, dataFolder, blockTimeMs: 50, ...changes }
}

/** A network as the server reads it. */
export function nodeOf({ chain, rpcUrl }: { chain: string; rpcUrl: string }) {
  return evmNode({ chain, rpcUrl, tokens: [TOKEN], fetch, timer })
}

/** Asks the faucet. */
export async function post(url: string, body: unknown, type = 'application/json', path = '/api/fund') {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': type }, body: text })
  return { status: response.status, answer: (await response.json()) as { txid?: string; height?: string; error?: { code: string; message: string } } }
}

after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})
