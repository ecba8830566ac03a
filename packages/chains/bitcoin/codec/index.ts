export { bitcoinCodec, codecFor, networkBytes, networkTransactions } from './bitcoin-codec.ts'
export { bitcoinChain, type Network, networkOf } from './networks.ts'
export { addressOfScript, readScript, requireScript } from './address.ts'
export { ProofsTooLargeError, type SpentCoin, type UnsignedTransaction } from './psbt.ts'
export { type InscribedTransfer, type InscriptionProof, readInscribedTransfer } from './prove-inscription.ts'
export { parseWithWitnesses, withoutWitnesses } from './transaction.ts'
export { dustLimit, feeFor, virtualSize } from './size.ts'
export { changeMin } from './select-coins.ts'
export {
  type CoinLock,
  type CoinLocks,
  type ConsolidationHint,
  consolidationHint,
  type ListedCoin,
  lockCoin,
  spendableCoins,
  unlockCoin,
} from './coin-locks.ts'
export { draftJoin, draftTransfer, finishDraft, previousNeeded, type TransferDraftOrder } from './draft-transfer.ts'
export { cancelTransfer, type ReplacementOrder, speedUpTransfer } from './replace-transfer.ts'
export { type CpfpOrder, draftCpfp, CpfpNeedlessError } from './draft-cpfp.ts'
export { draftSweep, type SweepDraft, type SweepOrder } from './draft-sweep.ts'
export { commitInscription, type Inscription, type InscriptionCommit, readInscriptions } from './inscription.ts'
export {
  type Followed,
  followInscriptions,
  type Inscribed,
  type InscriptionMove,
  lockInscribed,
  movesOf,
  type MovingTransaction,
} from './follow-inscriptions.ts'
export { applyBrc20, type Brc20Effect, type Brc20Event, type Brc20Holding, type Brc20Token, type Brc20View } from './apply-brc20.ts'
export { commitAmount, type Reveal, revealInscription, type RevealOrder } from './reveal-inscription.ts'
export { type Brc20Operation, readBrc20, writeBrc20Transfer } from './brc20.ts'
