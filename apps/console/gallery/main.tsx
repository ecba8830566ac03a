import '../src/configure-zod.ts'
import '@holdfast/ui/styles.css'
import '../src/styles/index.css'
import './gallery.css'
import { browserPorts } from '@holdfast/ports/browser'
import { createDrawerStack, createToaster, DrawerContext, DrawerHost, ThemeProvider, ToastContext, ToastHost } from '@holdfast/ui'
import { createQueryClient } from '@holdfast/client'
import english from '@holdfast/ui/locales/en-US.json' with { type: 'json' }
import chinese from '@holdfast/ui/locales/zh-CN.json' with { type: 'json' }
import { QueryClientProvider } from '@tanstack/react-query'
import i18next from 'i18next'
import { createRoot } from 'react-dom/client'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { Gallery } from './gallery.tsx'

const search = new URLSearchParams(location.search)
const theme = search.get('theme')
if (theme === 'light' || theme === 'dark') localStorage.setItem('holdfast.theme', theme)

const translation = i18next.createInstance()
await translation.use(initReactI18next).init({
  lng: search.get('language') === 'zh-CN' ? 'zh-CN' : 'en-US',
  fallbackLng: 'en-US',
  resources: { 'en-US': { translation: english }, 'zh-CN': { translation: chinese } },
  interpolation: { escapeValue: false },
})
document.documentElement.lang = translation.language

const drawers = createDrawerStack<{ title: string; body: React.ReactNode }>()
const toaster = createToaster(browserPorts.timer)

createRoot(document.querySelector('#root')!).render(
  <I18nextProvider i18n={translation}>
    <QueryClientProvider client={createQueryClient()}>
      <ToastContext value={toaster}>
        <DrawerContext value={drawers}>
          <ThemeProvider>
            <Gallery part={search.get('part')} hostile={search.get('text')} />
            <DrawerHost />
            <ToastHost />
          </ThemeProvider>
        </DrawerContext>
      </ToastContext>
    </QueryClientProvider>
  </I18nextProvider>,
)
