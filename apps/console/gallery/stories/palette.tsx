import { Button, IconSwap, IconWallet, Palette, type PaletteSource, Shortcut, usePaletteSource } from '@holdfast/ui'
import { useMemo, useState } from 'react'
import type { Story, StoryContext } from '../story.ts'

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

function Commands({ context }: { context: StoryContext }) {
  const { say, name } = context
  const [isOpen, setOpen] = useState(false)
  const [done, setDone] = useState('')
  usePaletteSource(
    useMemo((): PaletteSource => {
      const run = (key: string) => () => setDone(key)
      return {
        key: 'pages',
        title: say('Pages', '页面'),
        order: 1,
        items: [
          { key: 'wallets', title: say('Wallets', '钱包列表'), icon: IconWallet, shortcut: 'g w', run: run('wallets') },
          { key: 'transactions', title: say('Transactions', '交易记录'), icon: IconSwap, shortcut: 'g t', run: run('transactions') },
        ],
      }
      // The words do not change while a story is shown.
      // oxlint-disable-next-line react-hooks/exhaustive-deps
    }, []),
  )
  usePaletteSource(
    useMemo(
      (): PaletteSource => ({
        key: 'wallets',
        title: say('Wallets', '钱包'),
        items: ['Treasury', 'Cold reserve', 'Payroll'].map((title, at) => ({
          key: title,
          title: at === 0 ? name(title) : title,
          detail: at === 0 ? name('Ethereum') : 'Ethereum',
          words: ADDRESS,
          icon: IconWallet,
          run: () => setDone(title),
        })),
        search: async (query) =>
          query.startsWith('0x') ? [{ key: 'found', title: ADDRESS, detail: say('Address book', '地址簿'), run: () => setDone('found') }] : [],
      }),
      // oxlint-disable-next-line react-hooks/exhaustive-deps
      [],
    ),
  )
  return (
    <div className="gallery-row">
      <Button onClick={() => setOpen(true)}>{say('Open the palette', '打开命令面板')}</Button>
      <Shortcut keys="mod+k" />
      <Shortcut keys="g w" />
      <output data-done={done} />
      {isOpen && (
        <Palette
          words={{ found: (count) => say(`${count} results`, `${count} 项结果`), none: say('No results', '没有找到匹配项') }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

export const palette: Story = {
  key: 'palette',
  title: 'Command palette',
  states: [{ name: 'opened by a button', render: (context) => <Commands context={context} /> }],
}
