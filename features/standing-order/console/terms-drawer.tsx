import { DrawerBody } from '@holdfast/ui'
import type { StandingOrder } from './standing-orders-page.tsx'

/** Everything that a standing order lets happen, in the words that people approved. */
export function TermsDrawer({ rows }: Pick<StandingOrder, 'rows'>) {
  return (
    <DrawerBody>
      <dl className="hf-standing-order-terms">
        {rows.map(({ label, value }, i) => (
          <div key={i}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </DrawerBody>
  )
}
