import { chainNodeSuite, emulated } from '@holdfast/chain-core/node-suite'
import { startTon, TON_CHAIN as chain } from '@holdfast/devnet/ton'
import { nodePorts } from '@holdfast/ports/node'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { addressText, tonCodec } from '../codec/index.ts'
import { publicKey, sign } from '../testing/samples.ts'
import { tonNode } from './index.ts'

let strangers = 0

chainNodeSuite({
  name: 'ton',
  codec: tonCodec({ chain }),
  coin: { chain, contract: null },
  start: async ({ foreign }) => {
    const dataFolder = mkdtempSync(`${tmpdir()}/holdfast-ton-`)
    const network = await startTon(nodePorts, { port: 0, dataFolder, blockTimeMs: 1_000, mining: false, ...(foreign ? { globalId: -3 } : {}) })
    return emulated(network)
  },
  open: ({ token }, { url, ...connection }) => tonNode({ chain, rpcUrl: url, tokens: [token!.contract!], publicKeyOf: async () => publicKey, ...connection }),
  payer: { publicKey, sign },
  strangers: () => addressText({ workchain: 0, hash: Uint8Array.of(...new Uint8Array(28), 7, 7, ++strangers >> 8, strangers & 0xff) }, true),
  amounts: { start: 10n ** 10n, payment: 100_000n },
})
