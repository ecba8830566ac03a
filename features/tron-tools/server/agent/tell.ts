import type { OrganisationTx } from '@holdfast/db'
import { writeMail } from '@holdfast/features/mail/server'
import { inertText } from '@holdfast/mail'
import type { AgentNeeds } from './lend.ts'

/** Tells those who are told of resources that a payment waits, because nothing can be lent for it. */
export async function tellOfWaiting(tx: OrganisationTx, needs: AgentNeeds, about: { address: string; network: string; supplyId: string }): Promise<void> {
  const receivers = await tx.selectFrom('tron_receiver').select('person_id').where('org_id', '=', tx.orgId).where('told', '=', true).execute()
  const [network, end] = [inertText(about.network), about.address.slice(-6)]
  await writeMail(tx, needs, {
    topic: 'resource_low',
    aboutId: about.supplyId,
    personIds: receivers.map((each) => each.person_id),
    path: '/mpc/tools/tronAutoAgent',
    words: {
      'en-US': {
        subject: 'A payment waits for energy',
        text: `A payment on ${network} from the address that ends in ${end} waits, because no energy can be lent to it. The page says why, and what would change it:`,
      },
      'zh-CN': { subject: '付款等待能量', text: `${network} 上尾号为 ${end} 的地址有一笔付款因无法代理能量而等待。原因及处理方法请查看页面：` },
    },
  })
}
