type Person = { personId: string }

/** One of everything that the fields of a call can name, all of it of one organisation. */
export type OwnThings = {
  alice: Person
  bruno: Person
  /** Stands in every name and note of the organisation, and nowhere else. */
  mark: string
  walletId: string
  subWalletId: string
  secondSubWalletId: string
  /** Of the first sub-wallet, on the local network. */
  address: string
  /** The proof of recovery that was handed in, base64. */
  drill: string
  /** A payment that is final and has evidence. */
  paidId: string
  /** A payment that waits for approval. */
  waitingId: string
  qrId: string
  depositId: string
  /** A second session of Alice. */
  sessionId: string
  methodId: string
  signInId: string
  /** Two entries of Alice's personal book. */
  contactId: string
  secondContactId: string
  /** Of the organisation's book: a list, two entries, and an order to put the first on the whitelist, which was taken back. */
  groupId: string
  bookEntryId: string
  secondBookEntryId: string
  bookOrderId: string
  /** A change of the policy that waits for approvals, with the request that made it. */
  changeId: string
  changeRequestId: string
  draft: string
  /** An order for new shares of the wallet's key that waits for approvals, with the request that made it. */
  keyChangeId: string
  keyChangeRequestId: string
  /** An order that a signer is away, which waits for approvals, with the request that made it. */
  absenceId: string
  absenceRequest: Record<string, string>
  exportId: string
  /** A file of rules for collection that was checked and not taken in. */
  importId: string
  /** A contract that collects, drafted and not published. */
  collectorId: string
  /** Two files of payments that were read, and nobody was asked about. */
  batchId: string
  secondBatchId: string
  exportRequest: Record<string, string>
  retireRequest: Record<string, string>
  /** A paused webhook endpoint, and a test event that it did not get. */
  endpointId: string
  notifyId: string
  /** The same once more, for what can be done once. */
  secondEndpointId: string
  secondNotifyId: string
}

/**
 * By the name of an endpoint (`GET /api/…`) the fields of a call that a member may make with the things of their own organisation. One that would end the
 * caller's session or cost the generation of a key has a field that is refused.
 */
export type OwnCalls = Record<string, (own: OwnThings) => Record<string, string>>
