import { chainNodeSuite, emulated } from '@holdfast/chain-core/node-suite'
import { startTron, TRON_CHAIN as chain } from '@holdfast/devnet/tron'
import { nodePorts } from '@holdfast/ports/node'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { addressText, tronCodec } from '../codec/index.ts'
import { publicKey, sign } from '../testing/samples.ts'
import { tronNode } from './index.ts'

let strangers = 0

chainNodeSuite({
  name: 'tron',
  codec: tronCodec({ chain }),
  coin: { chain, contract: null },
  start: async ({ foreign }) => {
    const dataFolder = mkdtempSync(`${tmpdir()}/holdfast-tron-`)
    const network = await startTron(nodePorts, { port: 0, dataFolder, blockTimeMs: 3_000, mining: false, name: foreign ? 'foreign' : 'local' })
    return emulated(network)
  },
  open: ({ token }, { url, ...connection }) => tronNode({ chain, rpcUrl: url, tokens: [token!.contract!], ...connection }),
  payer: { publicKey, sign },
  strangers: () => addressText(Uint8Array.of(0x41, ...new Uint8Array(16), 7, 7, ++strangers >> 8, strangers & 0xff)),
  amounts: { start: 10n ** 10n, payment: 1_000n },
})
