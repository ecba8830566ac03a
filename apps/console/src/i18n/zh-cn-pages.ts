import whiteAddress from '@holdfast/features/address-book/locales/zh-CN.json' with { type: 'json' }
import approvalPage from '@holdfast/features/approval-page/locales/zh-CN.json' with { type: 'json' }
import approval from '@holdfast/features/approval/locales/zh-CN.json' with { type: 'json' }
import contractCall from '@holdfast/features/contract-call/locales/zh-CN.json' with { type: 'json' }
import depositAddress from '@holdfast/features/deposit-address/locales/zh-CN.json' with { type: 'json' }
import evidence from '@holdfast/features/evidence/locales/zh-CN.json' with { type: 'json' }
import privateKeyRecovery from '@holdfast/features/key-recovery/locales/zh-CN.json' with { type: 'json' }
import mail from '@holdfast/features/mail/locales/zh-CN.json' with { type: 'json' }
import network from '@holdfast/features/network/locales/zh-CN.json' with { type: 'json' }
import nft from '@holdfast/features/nft/locales/zh-CN.json' with { type: 'json' }
import notification from '@holdfast/features/notification/locales/zh-CN.json' with { type: 'json' }
import price from '@holdfast/features/price/locales/zh-CN.json' with { type: 'json' }
import resource from '@holdfast/features/resource/locales/zh-CN.json' with { type: 'json' }
import strategyEngine from '@holdfast/features/policy/locales/zh-CN.json' with { type: 'json' }
import teamMember from '@holdfast/features/team/locales/zh-CN.json' with { type: 'json' }
import transaction from '@holdfast/features/transaction/locales/zh-CN.json' with { type: 'json' }
import utxo from '@holdfast/features/utxo/locales/zh-CN.json' with { type: 'json' }
import wallet from '@holdfast/features/wallet/locales/zh-CN.json' with { type: 'json' }
import withdrawal from '@holdfast/features/withdrawal/locales/zh-CN.json' with { type: 'json' }
import type { Texts } from './texts.ts'

export const texts: Texts = {
  translation: {
    ...approval,
    ...approvalPage,
    ...contractCall,
    ...depositAddress,
    ...evidence,
    ...mail,
    ...network,
    ...nft,
    ...notification,
    ...price,
    ...resource,
    ...transaction,
    ...utxo,
    ...wallet,
    ...withdrawal,
  },
  privateKeyRecovery,
  strategyEngine,
  teamMember,
  whiteAddress,
}
