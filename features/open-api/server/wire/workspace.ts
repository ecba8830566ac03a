import { fromNode } from '@holdfast/features/network/server'
import { type Asking, demandField, fieldOf } from './asking.ts'
import { networkNamed, type WireCoin, wireCoins } from './coins.ts'

const coinsOf = ({ context, caller }: Asking) => wireCoins(context, caller.orgId)

const chainView = ({ name, network, asset }: WireCoin) => ({
  ...{ coin_net: network.name, symbol: name, symbol_alias: asset.symbol },
  support_acceleration: network.node.prepareCancel !== undefined,
})

/** The networks, by their own coins. */
export async function openCoin(asking: Asking) {
  const own = coinsOf(asking).filter(({ asset }) => asset.contract === null)
  return { open_main_chain: own.map(chainView), support_main_chain: own.map((each) => ({ ...chainView(each), if_open_chain: true })) }
}

/** The coins, a page by `max_id`: the place of a coin in the list. */
export async function coinList(asking: Asking) {
  const coins = coinsOf(asking)
  const own = (each: WireCoin) => coins.find(({ asset }) => asset.chain === each.asset.chain && asset.contract === null) ?? each
  const symbol = fieldOf(asking, 'symbol') ?? fieldOf(asking, 'coin_symbol')
  const base = fieldOf(asking, 'base_symbol') ?? fieldOf(asking, 'base_coin')
  const after = Number(fieldOf(asking, 'max_id') ?? 0)
  const limit = Math.min(1500, Number(fieldOf(asking, 'limit') ?? 1500) || 1500)
  if (asking.fields.open_chain === false || asking.fields.open_chain === 'false') return []
  return coins
    .map((each, i) => ({ each, id: i + 1 }))
    .filter(({ each, id }) => id > after && (symbol === undefined || each.name === symbol) && (base === undefined || own(each).name === base))
    .slice(0, limit)
    .map(({ each, id }) => ({ id, ...coinView(each, own(each)) }))
}

function coinView(coin: WireCoin, base: WireCoin) {
  const { name, network, asset } = coin
  return {
    ...chainView(coin),
    base_symbol: base.name,
    real_symbol: asset.symbol,
    name: `${name};${network.name};${asset.symbol}`,
    contract_address: asset.contract ?? '',
    decimals: String(asset.decimals),
    deposit_confirmation: String(network.finalityBlocks),
    icon: '',
    if_open_chain: true,
    support_memo: network.codec.memoMax === undefined ? '0' : '1',
    support_token: asset.contract === null ? '1' : '',
    address_regex: '',
    address_tag_regex: '',
    support_multi_addr: true,
  }
}

/** How far a network is, by its node. */
export async function chainHeight(asking: Asking) {
  const { network } = networkNamed(asking.context, asking.caller.orgId, demandField(asking, 'base_symbol'))
  return { height: Number((await fromNode(() => network.node.head())).height) }
}
