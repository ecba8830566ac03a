// Written by npm run openapi from the contracts of the calls.

export type OpenCalls = {
  /** What a sub-wallet holds, coin by coin. */
  openBalances: {
    input: {
      sub_wallet_id: string
      base_symbol?: string
      fiat?: 'USD' | 'EUR' | 'GBP' | 'CHF' | 'CNY' | 'HKD' | 'JPY' | 'KRW' | 'SGD' | 'AUD' | 'CAD' | 'INR'
    }
    output: {
      usd_balance: string | null
      usd_partial: boolean
      price_source: string | null
      list: readonly {
        symbol: string
        base_symbol: string
        chain: string
        network: string
        contract_address: string | null
        decimals: number
        token_standard: 'native' | 'ERC20' | 'TRC20' | 'jetton' | 'BRC20'
        normal_balance: string
        lock_balance: string
        stake_balance: string
        collecting_balance: string
        pending_balance: string
        usd: string | null
        price: string | null
        price_change: string | null
        focus: boolean
        verified: boolean
        uneven: boolean
        enable_deposit: boolean
        enable_withdraw: boolean
      }[]
      unverified_count: number
    }
  }
  /** Where to deposit a coin. The address is shown only while recovery of its key is proven. */
  openDepositAddress: {
    input: {
      sub_wallet_id: string
      chain: string
      symbol: string
    }
    output: {
      symbol: string
      network: string
      enableDeposit: boolean
      text: string
      address: string | null
      confirmations: number
      test_coins: boolean
      memo: string | null
      payment_link: string | null
      memo_max: number | null
      contract_address: string | null
      uneven: boolean
      is_uninitialised: boolean
    }
  }
  /** The addresses of a sub-wallet that people pay in to. */
  openAddresses: {
    input: {
      sub_wallet_id: string
      chain?: string
      symbol?: string
      keyword?: string
      state?: 'all' | 'unused' | 'used' | 'funded'
      page_no?: string
      page_size?: string
    }
    output: {
      pageTotal: number
      list: readonly {
        id: string
        chain: string
        network: string
        address: string | null
        memo: string | null
        payment_link: string | null
        addr_type: number
        label: string | null
        enableDeposit: boolean
        text: string
        balance: readonly {
          symbol: string
          amount: string
        }[]
        last_in_at: number | null
        created_at: number
      }[]
    }
  }
  /** Makes further addresses for a sub-wallet. They are in the list as soon as all three signers have attested them. */
  openCreateAddresses: {
    input: {
      request_id: string
      sub_wallet_id: string
      chain: string
      count?: string
      label?: '' | string
      addr_type?: string
    }
    output: {
      id: string
      chain: string
      network: string
      addr_type: number
      first: number
      count: number
      made: number
      label: string | null
      created_at: number
      idempotent: boolean
    }
  }
  /** The fee of a transfer in three tiers, at most; with data, that of a call of the contract `to`. */
  openFees: {
    input: {
      sub_wallet_id: string
      chain: string
      symbol: string
      token_id?: string
      to: string
      amount: string
      gross?: '0' | '1'
      data?: string
      outputs?: string
      inscription_ids?: string
    }
    output: {
      fee_symbol: string
      tiers: readonly {
        tier: 'economy' | 'normal' | 'fast'
        fee: string
        eta_s: number | null
        expected: string | null
        activation: string | null
        resources: readonly {
          name: 'bandwidth' | 'energy'
          needed: string
          available: string
        }[]
      }[]
      fee_decimals: number
      cap_min: string
      cap_max: string
      fee_balance: string
      min_withdraw: string
      max_withdraw: string
      along: string | null
      max_gross: string | null
      quoted_at: number
      valid_ms: number
    }
  }
  /** Asks for a payment: an immutable intent, its funds held until it is decided. */
  openCreateWithdrawal: {
    input: {
      request_id: string
      sub_wallet_id: string
      chain: string
      symbol: string
      token_id?: string
      from?: string
      address_to: string
      amount: string
      outputs?: string
      max_fee: string
      fee_tier?: 'economy' | 'normal' | 'fast'
      gross?: '0' | '1'
      memo?: '' | string
      remark?: string
      category?: '' | string
      tags?: string
      expire_hours?: string
      ack?: string
    }
    output: {
      withdraw_id: string
      status: number
      sub_status: string
      intent_hash: string
      approval_url: string
      idempotent: boolean
    }
  }
  /** One withdrawal with its whole story. */
  openWithdrawal: {
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
      can_take_back: boolean
      policy_version: number
      rule_id: string
      approvers: readonly {
        person_id: string
        name: string
        state: 'waiting' | 'approved' | 'rejected'
        only_stops: boolean
        at: number | null
        away: {
          until: number
          delegate: string | null
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
  /** Deposits and withdrawals, newest first. */
  openTransactions: {
    input: {
      wallet_id?: string
      sub_wallet_id?: string
      sub_wallet_ids?: string
      type?: 'all' | 'deposit' | 'held' | 'withdraw' | 'pull' | 'nft' | 'web3' | 'stake' | 'replacement'
      source?: 'web' | 'api' | 'chain'
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
    }
  }
  /** Notifications to the organisation’s webhook endpoints, newest first. */
  openNotifications: {
    input: {
      wallet_id?: string
      endpoint_id?: string
      side?: 'deposit' | 'withdraw' | 'web3-trans' | 'collect' | 'fuel' | 'key' | 'test'
      status?: 'retrying' | 'success' | 'failed' | 'stopped'
      keyword?: string
      start_time?: string
      end_time?: string
      page_no?: string
      page_size?: string
    }
    output: {
      pageTotal: number
      has_more: boolean
      list: readonly {
        notify_id: string
        endpoint_id: string
        side: string
        event: string
        seq: number
        biz_id: string | null
        request_id: string | null
        biz_status: number | null
        url: string
        http_code: number | null
        failure_reason: string | null
        answer: string | null
        duration_ms: number | null
        times: number
        max_times: number
        last_at: number | null
        next_at: number | null
        status: 'retrying' | 'success' | 'failed' | 'stopped'
        hold: 'earlier' | 'paused' | null
        created_at: number
      }[]
      stat: {
        success_rate: number | null
        p95_ms: number | null
        failed: number
        waiting: number
      }
    }
  }
  /** The sub-wallets that the key may name. */
  openWallets: {
    input: Record<string, never>
    output: {
      list: readonly {
        wallet_id: string
        wallet_name: string
        sub_wallet_id: string
        sub_wallet_name: string
      }[]
    }
  }
  /** The bytes of an order that the key asked for, which it has to sign: read in them what was asked for before you do. */
  openWithdrawalIntent: {
    input: {
      id: string
    }
    output: {
      intent: string
      intent_hash: string
      state: string
    }
  }
  /** Hands in that the key asks for an order, signed by it. The same again answers the same. */
  openSignWithdrawal: {
    input: {
      id: string
      signature: string
    }
    output: {
      state: string
      missing: number
    }
  }
  /** Switches the key itself off, at once. Two people have to switch it on again. */
  openSwitchOff: {
    input: Record<string, never>
    output: Record<string, never>
  }
}

/** Where each call is. */
export const CALLS = {
  openBalances: { method: 'GET', path: '/open/v1/balances' },
  openDepositAddress: { method: 'GET', path: '/open/v1/addresses/deposit' },
  openAddresses: { method: 'GET', path: '/open/v1/addresses' },
  openCreateAddresses: { method: 'POST', path: '/open/v1/addresses/create' },
  openFees: { method: 'GET', path: '/open/v1/withdrawals/fees' },
  openCreateWithdrawal: { method: 'POST', path: '/open/v1/withdrawals/create' },
  openWithdrawal: { method: 'GET', path: '/open/v1/withdrawals/info' },
  openTransactions: { method: 'GET', path: '/open/v1/transactions' },
  openNotifications: { method: 'GET', path: '/open/v1/notifications' },
  openWallets: { method: 'GET', path: '/open/v1/wallets' },
  openWithdrawalIntent: { method: 'GET', path: '/open/v1/withdrawals/intent' },
  openSignWithdrawal: { method: 'POST', path: '/open/v1/withdrawals/sign' },
  openSwitchOff: { method: 'POST', path: '/open/v1/key/off' },
} as const satisfies Record<keyof OpenCalls, { method: 'GET' | 'POST'; path: string }>
