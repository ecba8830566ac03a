// Written by npm run openapi from the contracts of the calls.

/** One withdrawal with its whole story. */
export type OpenWithdrawal = {
  input: {
    id: string
    fiat?: 'USD' | 'EUR' | 'GBP' | 'CHF' | 'CNY' | 'HKD' | 'JPY' | 'KRW' | 'SGD' | 'AUD' | 'CAD' | 'INR'
  }
  output: {
    id: string
    type: 'deposit' | 'withdraw' | 'pull'
    request_id: string | null
    wallet_id: string
    sub_wallet_id: string
    wallet_name: string
    sub_wallet_name: string
    symbol: string
    base_symbol: string
    chain: string
    network: string
    contract_address: string | null
    token_id: string | null
    amount: string
    worth: {
      currency: 'USD' | 'EUR' | 'GBP' | 'CHF' | 'CNY' | 'HKD' | 'JPY' | 'KRW' | 'SGD' | 'AUD' | 'CAD' | 'INR'
      at_time: string | null
      at: 'asked' | 'in_block' | 'seen'
      now: string | null
      fee: string | null
    } | null
    address_from: string | null
    from_label: string | null
    address_to: string
    to_label: string | null
    imitates: {
      address: string
      label: string | null
      kind: 'own' | 'book' | 'paid'
    } | null
    suspicious: boolean
    memo: string | null
    call: {
      method: string | null
    } | null
    stake?: {
      action: string
      title: string
    }
    txid: string | null
    fee_symbol: string
    fee: string | null
    real_fee: string | null
    status: number
    sub_status: string
    next_action: {
      action: 'approve' | 'wait' | 'verify_recovery' | 'none'
      who: readonly {
        person_id: string
        name: string
      }[]
      text: string
    }
    confirmations: number
    need_confirmations: number
    tx_height: string | null
    source: 'web' | 'api' | 'chain'
    initiator: {
      person_id: string
      name: string
    } | null
    approvals: {
      done: number
      need: number
    } | null
    remark: string
    taken_by?: string
    recipients?: number
    found_in?: 'transaction' | 'inside' | 'balance'
    purpose?: 'pay' | 'speed_up' | 'cancel'
    replaces?: string | null
    about?: {
      amount: string
      address_to: string
      recipients?: number
    }
    inscribes?: true
    lifts?: string
    category: string | null
    tags: readonly string[]
    note: string
    notify: {
      status: 'failed' | 'retrying' | 'stopped' | 'success'
      arrived: number
      count: number
      times: number
    } | null
    created_at: number
    updated_at: number
    intent_hash: string
    approval_url: string
    expire_at: number
    stoppable: {
      until: number
      letters: readonly {
        name: string
        state: 'waiting' | 'sent' | 'not_sent'
        reason: string | null
        at: number
      }[]
    } | null
    can_take_back: boolean
    policy_version: number
    rule_id: string
    rule_name: string
    batch_id: string | null
    approvers: readonly {
      person_id: string
      name: string
      state: 'waiting' | 'approved' | 'rejected'
      only_stops: boolean
      at: number | null
      by: string | null
      away: {
        until: number
        delegate: string | null
      } | null
    }[]
    screenings?: readonly {
      screener: string
      levels: readonly string[]
      refuses: boolean
      within_ms: number
      state: 'missing' | 'stale' | 'expired' | 'said'
      last: {
        level: string
        provider: string
        at: number
      } | null
    }[]
    reminded: {
      at: number
      by: string
      times: number
      letters: readonly {
        name: string
        state: 'waiting' | 'sent' | 'not_sent'
        reason: string | null
        at: number
      }[]
    } | null
    nonce: string | null
    timeline: readonly {
      state: string
      sub_status: string
      at: number
      actor: string
      in_place_of?: string
      reason: string | null
    }[]
    refusals: readonly {
      signer: string
      check: string
      reason: string
      at: number
    }[]
    has_evidence: boolean
    outputs: readonly {
      address_to: string
      label: string | null
      amount: string
      memo: string | null
      arrived: boolean | null
    }[]
    replacements: readonly {
      id: string
      purpose: 'speed_up' | 'cancel'
      status: number
      by: string
      at: number
    }[]
    brought: readonly {
      id: string
      symbol: string
      token_id: string | null
      amount: string
      from: string
      status: number
    }[]
    replaced_by: string | null
    speed_up_history: readonly {
      number: number
      purpose: 'pay' | 'cancel'
      state: 'making' | 'sent' | 'in_block' | 'replaced' | 'given_up'
      txid: string | null
      has_evidence: boolean
      fee: string | null
      by: string | null
      reason: string | null
      at: number
    }[]
  }
}
