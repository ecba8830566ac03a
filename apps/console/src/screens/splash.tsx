import { Mark } from '../shell/mark.tsx'

/** What is seen while the first page is fetched. */
export function Splash() {
  return (
    <div className="hf-splash">
      <Mark size={40} />
    </div>
  )
}
