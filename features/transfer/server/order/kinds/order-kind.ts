import type { AskedBeyond } from '@holdfast/chain-core'
import type { NetworkAsset } from '@holdfast/features/network/server'
import type { DepositChildIntent, TransactionIntent } from '@holdfast/intent'
import type { AssetAmount } from '@holdfast/ledger'

/** An amount of a coin that a network lists, in base units. */
export type Money = AssetAmount<NetworkAsset>

/** What every order is about: its recipient in canonical text, and how much of what. */
export type Paid = { to: string; paid: Money }

/** What the intent of every order says that a transaction carries out. */
export type OrderFields = Omit<DepositChildIntent, 'kind' | 'deposit'>

/** An inscription that an order sends: what it says of its token, and what the coin holds that carries it. */
export type SentInscription = { inscription: string; amount: bigint; postage: bigint }

/**
 * By what of a final block it is known what a transaction did, beside that it succeeded: by that alone; by its being there; by what its block
 * says it took; by the transfers of its block, which have to be those that were ordered; or by these and our own index of inscriptions.
 */
export type Proof = 'success' | 'presence' | 'what it took' | 'its transfers' | 'its inscriptions'

/** What the engine has to know of each kind of intent that a transaction carries out. `S` is what one asks for. */
export type SubjectKind<S, I extends TransactionIntent> = {
  /** The intent to do it. */
  intent(subject: S, order: OrderFields): I
  /** What the node is asked for beyond who pays whom how much. */
  asked(intent: I): AskedBeyond
  proof: Proof
  /** What goes along with the amount, in the network's own coin. */
  postage?(intent: I): bigint
  /** All whom it pays, where those are several. */
  recipients?(intent: I): readonly { to: string; amount: bigint }[]
  /** The inscriptions that it sends; `made` is the one that its bytes make, where they make one. */
  inscriptions?(intent: I, made: string | undefined): readonly SentInscription[]
  /**
   * Whether it is several transactions, one of which makes an inscription: the chain tells the fee of the last alone, nothing takes their place,
   * what is inscribed has to be available, and no coin is spent on which an inscription lies that counts no more.
   */
  inscribes?: true
  /**
   * The coin of the deposit that it speeds up, as `<txid>:<index>`. All of it comes back, so there is nothing to cancel; without that deposit it is
   * pointless.
   */
  cpfpFor?(intent: I): string
}

/** What has to be known of an order by the kind that its row names. */
export type OrderKind = {
  /** What it can be about; of an order about another order, nothing. */
  subjects: readonly TransactionIntent['kind'][]
  /** What it shall do about another order, where it is about one. */
  about?: 'speed_up' | 'cancel'
  /**
   * What it holds from when it is opened: its amount and its fee, or its fee alone. The fee of one that speeds a deposit up is paid of that deposit, so
   * it holds nothing before that is credited, and holds the fee in the same transaction that credits it (`holdForCpfp`): the most that it or what
   * takes its place can cost. An order to speed one up holds nothing itself.
   */
  holds: 'amount and fee' | 'fee' | 'fee once its deposit is credited'
  /** Where its amount goes when it is settled: to others, into the sub-wallet's own stake, or nowhere. */
  goes: 'external' | 'staked' | 'nowhere'
}
