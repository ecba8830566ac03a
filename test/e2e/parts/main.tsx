import '@holdfast/ui/styles.css'
import '../../../apps/console/src/styles/index.css'
import { browserPorts } from '@holdfast/ports/browser'
import {
  Amount,
  confirm,
  createDrawerStack,
  createToaster,
  DrawerBody,
  DrawerContext,
  DrawerFooter,
  DrawerHost,
  type Drawers,
  ShortAddress,
  ThemeProvider,
  ToastContext,
  ToastHost,
  useDrawerPage,
} from '@holdfast/ui'
import uiWords from '@holdfast/ui/locales/en-US.json' with { type: 'json' }
import i18next from 'i18next'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import consoleWords from '../../../apps/console/locales/en-US.json' with { type: 'json' }
import { ErrorBoundary } from '../../../apps/console/src/error-boundary.tsx'

// The console's drawer, dialog, messages and failure screen by themselves, in a page that lets a test call them. What a test
// calls is on `window.parts`.

const drawers: Drawers = createDrawerStack()
const toaster = createToaster(browserPorts.timer)
const AMOUNT = '1234567.890000000000000001'
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'

function Sample({ title }: { title: string }) {
  const { close } = useDrawerPage()
  return (
    <>
      <DrawerBody>
        <Money />
        <button type="button">First of {title}</button>
      </DrawerBody>
      <DrawerFooter>
        <button type="button" onClick={() => close(`done ${title}`)}>
          Finish {title}
        </button>
      </DrawerFooter>
    </>
  )
}

/** A page in two steps, as a form and its review are. */
function Steps() {
  const [isLast, setLast] = useState(false)
  return (
    <DrawerBody>
      {isLast ? (
        <button key="last" type="button">
          Send
        </button>
      ) : (
        <button key="first" type="button" onClick={() => setLast(true)}>
          Review
        </button>
      )}
    </DrawerBody>
  )
}

function Money() {
  return (
    <p className="sample-money">
      <Amount value={AMOUNT} unit="ETH" summary /> <ShortAddress address={ADDRESS} />
    </p>
  )
}

const parts = {
  drawers,
  toaster,
  push: (title: string, options?: Parameters<Drawers['push']>[1]) => drawers.push({ title, body: <Sample title={title} /> }, options),
  pushSteps: (title: string) => drawers.push({ title, body: <Steps /> }),
  replace: (title: string) => drawers.replace({ title, body: <Sample title={title} /> }),
  ask: (options: Parameters<typeof confirm>[1]) => confirm(drawers, options),
}

export type Parts = typeof parts

function Behind() {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) throw new Error('rendering went wrong')
  return (
    <main>
      <Money />
      <button type="button" onClick={() => void parts.push('opened')}>
        Open a page
      </button>
      <button type="button" onClick={() => setBroken(true)}>
        Break
      </button>
    </main>
  )
}

const translation = i18next.createInstance()
await translation.use(initReactI18next).init({ lng: 'en-US', resources: { 'en-US': { translation: { ...uiWords, ...consoleWords } } } })
Object.assign(window, { parts })
const root = document.getElementById('root')
if (!root) throw new Error('the page has no place for the parts')
createRoot(root).render(
  <I18nextProvider i18n={translation}>
    <ToastContext value={toaster}>
      <DrawerContext value={drawers}>
        <ThemeProvider>
          <ErrorBoundary>
            <Behind />
            <DrawerHost />
            <ToastHost />
          </ErrorBoundary>
        </ThemeProvider>
      </DrawerContext>
    </ToastContext>
  </I18nextProvider>,
)
