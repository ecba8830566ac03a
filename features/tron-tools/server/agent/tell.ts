import type { OrganisationTx } from '@holdfast/db'
import { writeMail } from '@holdfast/features/mail/server'
import { inertText } from '@holdfast/mail'
import type { AgentNeeds } from './lend.ts'

type About = { address: string; network: string; supplyId: string }
type Words = Parameters<typeof writeMail>[2]['words']

/** Tells those who are told of resources that a payment waits, because nothing can be lent or rented for it. */
export const tellOfWaiting = (tx: OrganisationTx, needs: AgentNeeds, about: About): Promise<void> =>
  tell(tx, needs, about, (network, end) => ({
    'en-US': {
      subject: 'A payment is waiting for energy',
      text: `A payment on ${network} from the address ending in ${end} is waiting, because no energy can be lent or rented for it. The page says why, and what to do:`,
    },
    'zh-CN': { subject: '付款等待能量', text: `${network} 上尾号为 ${end} 的地址有一笔付款因无法代理或租用能量而等待。原因及处理方法请查看页面：` },
  }))

/** Tells them that energy was paid for and did not come. */
export const tellOfLostRent = (tx: OrganisationTx, needs: AgentNeeds, about: About): Promise<void> =>
  tell(tx, needs, about, (network, end) => ({
    'en-US': {
      subject: 'Rented energy was not delivered',
      text: `Energy on ${network} for the address ending in ${end} was paid for but did not arrive in time. The page says what was paid, and what happened to the payment waiting for it:`,
    },
    'zh-CN': { subject: '租用的能量未到账', text: `${network} 上尾号为 ${end} 的地址已付租金，但能量未按时到账。所付金额及相关付款的处理情况请查看页面：` },
  }))

async function tell(tx: OrganisationTx, needs: AgentNeeds, about: About, words: (network: string, end: string) => Words): Promise<void> {
  const receivers = await tx.selectFrom('tron_receiver').select('person_id').where('org_id', '=', tx.orgId).where('told', '=', true).execute()
  const [network, end] = [inertText(about.network), about.address.slice(-6)]
  await writeMail(tx, needs, {
    topic: 'resource_low',
    aboutId: about.supplyId,
    personIds: receivers.map((each) => each.person_id),
    path: '/mpc/tools/tronAutoAgent',
    words: words(network, end),
  })
}
