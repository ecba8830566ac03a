/** A drawing in `marks/`, by its file's name. */
export type Mark = 'aave' | 'arb' | 'avax' | 'bnb' | 'btc' | 'dai' | 'eth' | 'link' | 'op' | 'pol' | 'ton' | 'trx' | 'uni' | 'usdc' | 'usdt' | 'wbtc' | 'weth'

type Place = {
  /** Of the network's own coin. */
  coin: Mark
  /** Of the network itself, where that is another one. */
  network?: Mark
  /** Of tokens, by contract. */
  tokens?: Readonly<Record<string, Mark>>
}

const ETHER: Place = { coin: 'eth' }
const BITCOIN: Place = { coin: 'btc' }
const TRON: Place = { coin: 'trx' }
const TON: Place = { coin: 'ton' }

const PLACES: Readonly<Record<string, Place>> = {
  'eip155:1': {
    ...ETHER,
    tokens: {
      '0xdAC17F958D2ee523a2206206994597C13D831ec7': 'usdt',
      '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48': 'usdc',
      '0x6B175474E89094C44Da98b954EedeAC495271d0F': 'dai',
      '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2': 'weth',
      '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599': 'wbtc',
      '0x514910771AF9Ca656af840dff83E8264EcF986CA': 'link',
      '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984': 'uni',
      '0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE9': 'aave',
    },
  },
  'eip155:10': { ...ETHER, network: 'op', tokens: { '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85': 'usdc' } },
  'eip155:56': {
    coin: 'bnb',
    tokens: { '0x55d398326f99059fF775485246999027B3197955': 'usdt', '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d': 'usdc' },
  },
  'eip155:137': {
    coin: 'pol',
    tokens: { '0xc2132D05D31c914a87C6611C10748AEb04B58e8F': 'usdt', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359': 'usdc' },
  },
  'eip155:8453': { ...ETHER, tokens: { '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913': 'usdc' } },
  'eip155:42161': {
    ...ETHER,
    network: 'arb',
    tokens: {
      '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9': 'usdt',
      '0xaf88d065e77c8cC2239327C5EDb3A432268e5831': 'usdc',
      '0x912CE59144191C1204E64559FE8253a0e49E6548': 'arb',
    },
  },
  'eip155:43114': {
    coin: 'avax',
    tokens: { '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7': 'usdt', '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E': 'usdc' },
  },
  'tron:0x2b6653dc': { ...TRON, tokens: { TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t: 'usdt' } },
  'ton:-239': { ...TON, tokens: { UQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_p0p: 'usdt' } },
  'bip122:000000000019d6689c085ae165831e93': BITCOIN,
  // Networks for testing, and those of this machine.
  'eip155:11155111': ETHER,
  'eip155:31337': ETHER,
  'eip155:80002': { coin: 'pol' },
  'tron:0xcd8690dc': TRON,
  'tron:0xa419a01f': TRON,
  'ton:-3': TON,
  'ton:-31337': TON,
  'bip122:000000000933ea01ad0ee984209779ba': BITCOIN,
  'bip122:0f9188f13cb7b2c71f2a335e3a4fc328': BITCOIN,
}

/** Every token that has a mark. */
export const MARKED_TOKENS = Object.entries(PLACES).flatMap(([chain, { tokens = {} }]) =>
  Object.entries(tokens).map(([contract, mark]) => ({ chain, contract, mark })),
)

/** Addresses of these networks mean the same in either case. */
const asKept = (chain: string, contract: string) => (chain.startsWith('eip155:') ? contract.toLowerCase() : contract)

const tokenMarks = new Map(MARKED_TOKENS.map(({ chain, contract, mark }) => [`${chain} ${asKept(chain, contract)}`, mark]))
const places = new Map(Object.entries(PLACES))

/**
 * The mark of a coin: by its chain and its contract and never by what it calls itself, so that a token that only has the name of
 * another never wears its mark. Undefined for whatever is not in this file.
 */
export function coinMarkOf(chain: string, contract: string | null): Mark | undefined {
  return contract === null || contract === '' ? places.get(chain)?.coin : tokenMarks.get(`${chain} ${asKept(chain, contract)}`)
}

/** The mark of a network, by its chain. */
export function networkMarkOf(chain: string): Mark | undefined {
  const place = places.get(chain)
  return place?.network ?? place?.coin
}
