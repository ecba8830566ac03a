import type { AskedBeyond } from '@holdfast/chain-core'
import type { NetworkAsset } from '@holdfast/features/network/server'
import type { DepositChildIntent, TransactionIntent } from '@holdfast/intent'
import type { AssetAmount } from '@holdfast/ledger'

/** An amount of a coin that a network lists, in base units. */
export type Money = AssetAmount<NetworkAsset>

/** What every order is about: its recipient in canonical text, and how much of what. */
export type Paid = { to: string; paid: Money }

/** What the intent of every order states that a transaction carries out. */
export type OrderFields = Omit<DepositChildIntent, 'kind' | 'deposit'>

/** An inscription that an order sends: what it says of its token, and the amount of the coin that carries it. */
export type SentInscription = { inscription: string; amount: bigint; postage: bigint }

/**
 * What proves the effect of a transaction in a final block, beside its success: nothing more; its presence; what its block says it took;
 * the transfers of its block, which must be those that were ordered; or these and our own index of inscriptions.
 */
export type Proof = 'success' | 'presence' | 'what it took' | 'its transfers' | 'its inscriptions'

/** The properties of each kind of intent that a transaction carries out. `S` is the subject of a request. */
export type SubjectKind<S, I extends TransactionIntent> = {
  /** The intent to do it. */
  intent(subject: S, order: OrderFields): I
  /** What the node needs beyond payer, recipient and amount. */
  asked(intent: I): AskedBeyond
  proof: Proof
  /** What accompanies the amount, in the network's own coin. */
  postage?(intent: I): bigint
  /** All recipients, if there are several. */
  recipients?(intent: I): readonly { to: string; amount: bigint }[]
  /** The inscriptions that it sends; `made` is the one that its bytes make, if they make one. */
  inscriptions?(intent: I, made: string | undefined): readonly SentInscription[]
  /**
   * Whether it is several transactions, one of which makes an inscription: the chain reports the fee of the last alone, nothing replaces them, the
   * inscribed amount must be available, and no coin is spent that carries an inscription without effect.
   */
  inscribes?: true
  /**
   * Whether its signed bytes are no transaction: nobody sends them, the transaction of another order carries them (`carried.ts`), and only what took the slot
   * shows that a block has them.
   */
  isCarried?: true
  /**
   * The coin of the deposit that it speeds up, as `<txid>:<index>`. All of it comes back, so there is nothing to cancel; without that deposit it is
   * pointless.
   */
  cpfpFor?(intent: I): string
}

/** The properties of an order by the kind that its row names. */
export type OrderKind = {
  /** What it can be about; of an order about another order, nothing. */
  subjects: readonly TransactionIntent['kind'][]
  /** What it does to another order, if it is about one. */
  about?: 'speed_up' | 'cancel'
  /**
   * What it holds from when it is opened: its amount and its fee, its fee alone, or nothing, where it costs nothing itself. If it speeds a deposit up, the
   * deposit pays its fee, so it holds nothing before the deposit is credited, and holds the fee in the same transaction that credits it (`holdForCpfp`): the
   * most that it or its replacement can cost. An order to speed one up holds nothing itself.
   */
  holds: 'amount and fee' | 'fee' | 'nothing' | 'fee once its deposit is credited'
  /** Where its amount goes when it is settled: to others, into the sub-wallet's own stake, or nowhere. */
  goes: 'external' | 'staked' | 'nowhere'
}
