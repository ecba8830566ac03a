import type { Language } from '@holdfast/contract'

/**
 * What stops a network, or what an alarm says, in Chinese. It is written where it is found, in English, into records that are kept; people read it in their
 * own language. The parts of a sentence are put in from the left.
 */
const CHINESE: readonly (readonly [RegExp, string])[] = [
  [/^(.+): at height (\d+) source (\d+) has block (\S+), and the block read is (\S+)$/, '$1：在高度 $2，数据源 $3 的区块为 $4，而已读取的区块为 $5'],
  [/^(.+): at height (\d+) another source has block (\S+), and the block read is (\S+)$/, '$1：在高度 $2，另一数据源的区块为 $3，而已读取的区块为 $4'],
  [/^(.+): (\d+) of (\d+) sources confirm height (\d+), two are needed$/, '$1：$3 个数据源中有 $2 个确认高度 $4，需要两个'],
  [/^(.+): sources differ in what block (\d+) paid or took$/, '$1：各数据源对区块 $2 的收付记录不一致'],
  [/^(.+): the source that blocks are read from has no block (\d+), which is final$/, '$1：读取区块的数据源没有已最终确认的区块 $2'],
  [/^(.+): no second source says that block (\d+), which was final, is replaced$/, '$1：已最终确认的区块 $2 是否被替换，没有第二个数据源证实'],
  [
    /^(.+) and this server have no block in common among the last (\d+): the node serves another chain, .+$/,
    '$1 与本服务器在最近 $2 个区块中没有共同区块：节点提供的是另一条链，或该链已被替换。在人工核查之前不会入账。',
  ],
  [/^block (\d+): (\S+) was read, and the sources have (\S+)$/, '区块 $1：已读取的是 $2，而各数据源为 $3'],
  [/^what block (\d+) charged (\S+): (\d+) was read, and now the sources say (.+)$/, '区块 $1 向 $2 收取的费用：已读取为 $3，而各数据源现为 $4'],
  [/^what (\S+) took of (\S+): it was read, and now no source has it$/, '交易 $1 从 $2 转出的代币：此前已读取，现在没有数据源有此记录'],
  [
    /^payment (\d+) of (\S+) in block (\d+): it was read, and now no source has its block$/,
    '区块 $3 中交易 $2 的第 $1 笔付款：此前已读取，现在没有数据源有该区块',
  ],
  [/^(.+): one source says (.+), another one (.+)$/, '$1：一个数据源为 $2，另一个为 $3'],
  [/^at height (\d+) the chain has (.+), the books (.+)$/, '在高度 $1，链上为 $2，账面为 $3'],
  [
    /^(\d+) base units to (\S+) in (\S+) are more than any book can hold; the token says what it likes, and nothing of it is credited$/,
    '交易 $3 向 $2 转入 $1 最小单位，超出账本可记录的上限；该代币的数额不可信，不予入账',
  ],
  [
    /^(\S+) in block (\d+): the token logged a transfer in another form than its standard; nothing of it is credited$/,
    '区块 $2 中的交易 $1：该代币记录的转账不符合其标准，不予入账',
  ],
  [
    /^source 1 left out (.+) to (\S+) in (\S+), block (\d+); other sources have it, and it is taken in$/,
    '数据源 1 漏报了区块 $4 中交易 $3 向 $2 转入的 $1；其他数据源有此记录，已补录',
  ],
  [
    /^source 1 told of (.+) to (\S+) in (\S+), block (\d+), and no second source has such a payment in this block\. It is not credited\.$/,
    '数据源 1 报告了区块 $4 中交易 $3 向 $2 转入的 $1，但没有第二个数据源在该区块中有这笔付款。未入账。',
  ],
  [
    /^source 1 told of (.+) to (\S+) in (\S+), block (\d+), and no second source has such a payment in this block\. It was credited before .+$/,
    '数据源 1 报告了区块 $4 中交易 $3 向 $2 转入的 $1，但没有第二个数据源在该区块中有这笔付款。此前已入账，在人工核查之前保持不变。',
  ],
  [/^(.+) to (\S+) in (\S+), block (\d+) cannot be booked: (.+)$/, '区块 $4 中交易 $3 向 $2 转入的 $1 无法入账：$5'],
  [/^(\S+) took (.+) for (\S+) in (\S+); what it may still take is not known$/, '$1 在交易 $4 中为 $3 转走 $2；剩余授权额度未知'],
  [/^(\S+) took (.+) for (\S+) in (\S+); it may take nothing more$/, '$1 在交易 $4 中为 $3 转走 $2；已无剩余授权额度'],
  [/^(\S+) took (.+) for (\S+) in (\S+); it may take (.+) more$/, '$1 在交易 $4 中为 $3 转走 $2；还可再转走 $5'],
  [
    /^(transfers whose entries do not sum to zero|balances that are not the sum of their entries|transfers with fewer than two entries): (.+)$/,
    '账本不一致（$1）：$2',
  ],
]

/** What stops a network, or what an alarm says, in a language. What has no Chinese sentence, as the words of a node, stays as it is. */
export function troubleIn(language: Language, english: string): string {
  if (language !== 'zh_CN') return english
  for (const [form, chinese] of CHINESE) if (form.test(english)) return english.replace(form, chinese)
  return english
}
