import whiteAddress from '@holdfast/features/address-book/locales/en-US.json' with { type: 'json' }
import approvalPage from '@holdfast/features/approval-page/locales/en-US.json' with { type: 'json' }
import approval from '@holdfast/features/approval/locales/en-US.json' with { type: 'json' }
import contractCall from '@holdfast/features/contract-call/locales/en-US.json' with { type: 'json' }
import depositAddress from '@holdfast/features/deposit-address/locales/en-US.json' with { type: 'json' }
import evidence from '@holdfast/features/evidence/locales/en-US.json' with { type: 'json' }
import privateKeyRecovery from '@holdfast/features/key-recovery/locales/en-US.json' with { type: 'json' }
import mail from '@holdfast/features/mail/locales/en-US.json' with { type: 'json' }
import network from '@holdfast/features/network/locales/en-US.json' with { type: 'json' }
import nft from '@holdfast/features/nft/locales/en-US.json' with { type: 'json' }
import notification from '@holdfast/features/notification/locales/en-US.json' with { type: 'json' }
import price from '@holdfast/features/price/locales/en-US.json' with { type: 'json' }
import resource from '@holdfast/features/resource/locales/en-US.json' with { type: 'json' }
import strategyEngine from '@holdfast/features/policy/locales/en-US.json' with { type: 'json' }
import teamMember from '@holdfast/features/team/locales/en-US.json' with { type: 'json' }
import transaction from '@holdfast/features/transaction/locales/en-US.json' with { type: 'json' }
import utxo from '@holdfast/features/utxo/locales/en-US.json' with { type: 'json' }
import wallet from '@holdfast/features/wallet/locales/en-US.json' with { type: 'json' }
import withdrawal from '@holdfast/features/withdrawal/locales/en-US.json' with { type: 'json' }
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
