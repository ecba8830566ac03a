// Written by npm run openapi from the contracts of the calls.

/** Deposits and withdrawals, newest first. */
export type OpenTransactions = {
  input: {
    wallet_id?: string
    sub_wallet_id?: string
    sub_wallet_ids?: string
    type?: 'all' | 'deposit' | 'held' | 'withdraw' | 'pull' | 'nft' | 'web3' | 'stake' | 'replacement'
    source?: 'asked' | 'web' | 'api' | 'chain'
    chain?: string
    symbol?: string
    status?: string
    sub_status?: string
    keyword?: string
    address?: string
    txid?: string
    request_id?: string
    initiator_id?: string
    category?: string
    tag?: string
    notify_status?: 'failed' | 'retrying' | 'stopped' | 'success'
    spam?: '0' | '1'
    amount_min?: string
    amount_max?: string
    start_time?: string
    end_time?: string
    fiat?: 'USD' | 'EUR' | 'GBP' | 'CHF' | 'CNY' | 'HKD' | 'JPY' | 'KRW' | 'SGD' | 'AUD' | 'CAD' | 'INR'
    max_id?: string
    page_no?: string
    page_size?: string
  }
  output: {
    pageTotal: number
    has_more: boolean
    list: readonly {
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
    }[]
    next: string | null
  }
}
