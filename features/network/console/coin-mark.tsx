import './marks.css'
import { plainText } from '@holdfast/ui'
import { coinMarkOf, type Mark, networkMarkOf } from './coin-marks.ts'

/** How many letters stand where there is no mark. */
const LETTERS = { small: 1, middle: 3 } as const

type CoinMarkProps = {
  chain: string
  /** Null, or empty, of the network's own coin. */
  contract: string | null
  symbol: string
  /** `small` where it stands in a line of words. */
  size?: 'small' | 'middle'
}

/** The mark of a coin beside its symbol; a token also wears that of its network. What the console does not know by its contract has letters. */
export function CoinMark({ chain, contract, symbol, size = 'middle' }: CoinMarkProps) {
  const network = contract === null || contract === '' ? undefined : networkMarkOf(chain)
  return (
    <span className={`hf-mark-coin hf-mark-${size}`} aria-hidden>
      <Drawn mark={coinMarkOf(chain, contract)} name={symbol} letters={LETTERS[size]} />
      {network !== undefined && size !== 'small' && <img className="hf-mark-badge" src={urlOf(network)} alt="" width={14} height={14} />}
    </span>
  )
}

/** The mark of a network, or letters of its name. */
export function NetworkMark({ chain, network }: { chain: string; network: string }) {
  return (
    <span className="hf-mark-coin hf-mark-small" aria-hidden>
      <Drawn mark={networkMarkOf(chain)} name={network} letters={LETTERS.small} />
    </span>
  )
}

function Drawn({ mark, name, letters }: { mark: Mark | undefined; name: string; letters: number }) {
  if (mark !== undefined) return <img src={urlOf(mark)} alt="" width={28} height={28} decoding="async" />
  const found = plainText(name, 40).match(/[\p{L}\p{N}]/gu) ?? []
  return <span className="hf-mark-letters">{found.slice(0, letters).join('') || '?'}</span>
}

const urlOf = (mark: Mark) => new URL(`./marks/${mark}.svg`, import.meta.url).href
