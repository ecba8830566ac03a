import { chainNodeSuite } from '@holdfast/chain-core/node-suite'
import { type Abi, type Address, getAddress, type Hex } from 'viem'
import devDollar from '../artifacts/dev-dollar.json' with { type: 'json' }
import { evmCodec } from '../codec/index.ts'
import { startAnvil } from '../testing/anvil.ts'
import { chain, publicKey, sign } from '../testing/samples.ts'
import { evmNode } from './index.ts'

const coin = { chain, contract: null }
let strangers = 0x1000

chainNodeSuite({
  name: 'evm',
  codec: evmCodec({ chain }),
  coin,
  start: async ({ foreign }) => {
    const anvil = await startAnvil({ chainId: foreign ? 5 : 31337 })
    const rich = anvil.walletOf(0)
    const mined = (hash: Hex) => anvil.network.waitForTransactionReceipt({ hash })
    const abi = devDollar.abi as Abi
    const { contractAddress } = await mined(await rich.deployContract({ abi, bytecode: devDollar.bytecode as Hex, args: ['USDX'] }))
    const token = { chain, contract: getAddress(contractAddress!) }
    return {
      url: anvil.rpcUrl,
      token,
      fund: async (asset, to, amount) => {
        const sending =
          asset.contract === null
            ? rich.sendTransaction({ to: to as Address, value: amount })
            : rich.writeContract({ address: token.contract, abi, functionName: 'mint', args: [to, amount] })
        const { transactionHash: txid, blockNumber: height } = await mined(await sending)
        return { txid, height }
      },
      mine: (blocks) => anvil.network.mine({ blocks }),
      reorganise: async (depth) => void (await anvil.network.request({ method: 'anvil_reorg', params: [depth, []] } as never)),
      stop: anvil.stop,
    }
  },
  open: ({ token }, { url, ...connection }) => evmNode({ chain, rpcUrl: url, tokens: [token!.contract!], ...connection }),
  payer: { publicKey, sign },
  strangers: () => getAddress(`0x${(++strangers).toString(16).padStart(40, '0')}`),
  amounts: { start: 10n ** 19n, payment: 1_000n },
})
