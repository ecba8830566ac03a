import type { Locale } from '@holdfast/intent'

/** What the instructions say of this very kit. */
export type KitFacts = {
  organisation: string
  fingerprint: string
  /** The keys that it rebuilds. */
  keys: { keyId: string; protocol: string; epoch: string }[]
  fileName: string
  kitHash: string
  writtenAt: string
  addresses: string
  /** How many signers' shares rebuild the key. */
  signersNeeded: string
  /** `needs` of the officers with these fingerprints open the signer's share; '0' where the kit has none of it. */
  signers: { party: string; name: string; operator: string; needs: string; officers: string[] }[]
}

export type Block = { heading: string } | { text: string } | { command: string } | { steps: string[] } | { items: string[] } | { meanings: [string, string][] }

type Words = { title: string; facts(facts: KitFacts): [string, string][]; blocks(facts: KitFacts): Block[] }

const TOOL = 'holdfast-recover.mjs'
const withBlank = (fingerprint: string) => `${fingerprint}: ____________`
const identities = '--identity officer-1.txt --identity officer-2.txt'
const verifyLine = ({ fileName }: KitFacts, lang: string) => `node ${TOOL} verify --kit ${fileName} ${identities} --out drill --addresses 20${lang}`
const sweepLine = ({ fileName }: KitFacts, lang: string) => `node ${TOOL} sweep --kit ${fileName} ${identities} --plan plan.json --out signed.json${lang}`
const withFingerprint = (line: string, { fingerprint }: KitFacts) => `${line} \\\n  --fingerprint ${fingerprint.replaceAll(' ', '')}`
const PLAN = `{
  "chain": "eip155:1",
  "destination": "0x…",
  "maxFeePerGas": "30000000000",
  "maxPriorityFeePerGas": "1000000000",
  "sources": [
    { "address": "0x…", "nonce": "0", "balance": "1500000000000000000",
      "tokens": [{ "contract": "0x…", "symbol": "USDC", "decimals": "6", "balance": "250000000" }] }
  ]
}`
const TRON_PLAN = `{
  "chain": "tron:0x2b6653dc",
  "destination": "T…",
  "block": "…",
  "blockTimeMs": "1795000000000",
  "tokenFeeLimit": "30000000",
  "sources": [
    { "address": "T…", "balance": "50000000",
      "tokens": [{ "contract": "T…", "symbol": "USDT", "decimals": "6", "balance": "250000000" }] }
  ]
}`
const TON_PLAN = `{
  "chain": "ton:-239",
  "destination": "UQ…",
  "blockTimeMs": "1795000000000",
  "sources": [
    { "address": "UQ…", "seqno": "0", "balance": "5000000000",
      "tokens": [{ "contract": "EQ…", "symbol": "USDT", "decimals": "6", "balance": "250000000", "wallet": "EQ…", "walletCode": "te6…" }] }
  ]
}`
const BITCOIN_PLAN = `{
  "chain": "bip122:000000000019d6689c085ae165831e93",
  "destination": "bc1q…",
  "satPerKvb": "10000",
  "sources": [
    { "address": "bc1q…",
      "coins": [{ "txid": "…", "index": "0", "amount": "70000", "transaction": "0200…" }] }
  ]
}`
const SEND = `curl -s -H 'content-type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x…"]}' https://your-node.example`

export const INSTRUCTIONS: Record<Locale, Words> = {
  'en-US': {
    title: 'How to recover a key from its recovery kit',
    facts: (facts) => [
      ['Organisation', facts.organisation],
      ['Its fingerprint', facts.fingerprint],
      ...facts.keys.flatMap(({ keyId, protocol, epoch }): [string, string][] => [
        ['Key', keyId],
        ['Kind of key, epoch', `${protocol}, epoch ${epoch}`],
      ]),
      ['File of the kit', facts.fileName],
      ['Fingerprint of the kit', facts.kitHash],
      ['Written at', facts.writtenAt],
      ['Addresses named in it', facts.addresses],
      ...facts.signers.map(({ party, name, operator, needs, officers }): [string, string] => [
        `Share of signer ${party} (${name}, ${operator})`,
        officers.length === 0
          ? 'not in this kit'
          : [`${needs} of these ${officers.length} open it (write down who holds which):`, ...officers.map(withBlank)].join('\n'),
      ]),
    ],
    blocks: (facts) => [
      { text: 'Print this page and keep it with each copy of the kit. It has no secret in it. It is written for somebody who has never seen this product.' },
      { heading: '1. What this is for' },
      {
        text: `Three signers hold one share each of the key; ${facts.signersNeeded} shares make the whole key, and nobody has more than one. The kit holds a copy of every share, sealed to officers of your organisation. With it you can rebuild the key when the signers, the server or whoever runs them are gone.`,
      },
      {
        items: [
          'Drill: shows, at least every 90 days, that the kit works. The key is rebuilt in memory, signs a proof, and is forgotten. No money moves.',
          'Recovery: moves everything to another address. Do this only when the product cannot pay any more. Afterwards never use this key again.',
        ],
      },
      { heading: '2. What is in the kit, and what is not' },
      {
        items: [
          'In it: the sealed shares, each signed by its signer; the public key and chain code; the addresses known when it was written; the founding document of the organisation.',
          'Not in it: anything that opens a share. The identity files of the officers do that, and they are nowhere else.',
          'Addresses that were given out later belong to the same key. The tool finds them.',
        ],
      },
      { heading: '3. What to bring' },
      {
        items: [
          `The kit: the file ${facts.fileName}.`,
          `The recovery tool: the file ${TOOL}. Whoever has the product makes it with: npm run recover -- pack ${TOOL}. The same version always gives the same bytes; write down the SHA-256 that is printed: ____________________________________________`,
          'A computer that has no network and will have none: cable out, radio off. It needs Node.js 24 or later, from nodejs.org, brought on a stick.',
          `Officers of ${facts.signersNeeded} different signers, each with the identity file that was made for them (it begins with # created and holds a line AGE-SECRET-KEY-PQ-1…). How many of each signer: see the table above.`,
          'An empty stick for what comes out. For a recovery also the plan of section 6.',
          'At least two people who watch each other, and this page.',
        ],
      },
      { heading: '4. The drill, step by step' },
      {
        steps: [
          'Start the computer without a network. Copy the tool, the kit and the identity files into one empty folder, and open a terminal there.',
          `Check the tool: sha256sum ${TOOL} (on a Mac: shasum -a 256 ${TOOL}) must print what you wrote down.`,
          'Run the command below, with one --identity for each identity file you have. Compare the fingerprint with a copy kept outside this kit.',
          'Compare some of the addresses it prints with those the console shows.',
          'Carry the file drill to the console: Keys and recovery, Verify recovery, Hand in the drill record.',
          'Delete the identity files from the computer and switch it off. Memory may still hold the key until then.',
        ],
      },
      { command: withFingerprint(verifyLine(facts, ''), facts) },
      { heading: '5. What the output means' },
      {
        meanings: [
          ['opened, and fits its public commitments', 'This share is good.'],
          [
            'not opened: none of the identities given is one of its recipients',
            'No officer of this signer is here. Not an error while two other shares are good.',
          ],
          ['not opened: … officers together open it', 'Some officers of this signer are here, but too few. The lines below it say whose identity is not here.'],
          ['MISSING from the kit', 'The kit has no share of this signer.'],
          ['in the kit TWICE', 'Two shares claim to be of this signer; the file was tampered with or put together wrongly.'],
          ['CORRUPT', 'The share was changed after its signer signed it, cannot be opened, or does not fit the public key. It is not used.'],
          ['WRONG', 'The share is of another organisation, another key or another signer. It is not used.'],
          ['WRONG EPOCH', 'The share is from before or after the signers got new shares. Shares of different epochs never fit together. It is not used.'],
          ['DAMAGED: this part cannot be used', "This officer's part does not open or does not fit. Other officers of the same signer may be enough."],
          ['OF ANOTHER KIT', "This officer's part was made for another sealing, epoch or key."],
          ['opens nothing in this kit', 'This identity file belongs to another kit, or this key was sealed to other officers.'],
          ['The key was rebuilt', 'The shares gave the secret of exactly the public key in the kit.'],
          ['The key was NOT rebuilt', 'Fewer than two good shares. See section 7.'],
          [
            'The rebuilt key signed a drill record',
            'The proof is written. The command ended with exit code 0; code 1 means that the kit did not hold, 2 that the command was not understood, 3 that a file could not be read or written.',
          ],
        ],
      },
      { heading: '6. Recovery: moving everything away' },
      {
        text: 'Do the drill first. Then write a plan on a machine that has a network, from any block explorer or node you trust: for each address its nonce (how many transactions it has sent), its balance and its tokens, all in base units and in quotes; the fees of the day; and where everything goes. Check the destination twice: what is sent cannot be called back.',
      },
      { command: PLAN },
      {
        text: 'chain is eip155: and the number of the network. Leave tokens out where there are none. The contract of a token of a collection (NFT) is written erc721:0x…/0x1a or erc1155:0x…/0x1a, with the number of the token in hexadecimal digits. An address that is not found needs its "path", such as "30/0". coinGasLimit and tokenGasLimit may be given. Where maxPriorityFeePerGas equals maxFeePerGas, nothing stays behind on an address without tokens. Some networks take more than gas at these prices: on those of the OP stack, such as Base, write balances that are lower by what the data costs (0.0001 ETH is mostly enough), and on Arbitrum a higher coinGasLimit.',
      },
      {
        text: 'On TRON the plan names, in place of nonces and fees of the day, a late final block by its id and its time in milliseconds, and tokenFeeLimit: the most sun that each token may burn. The transactions are good for 12 hours from that block; hours, up to 23, and coinFee may be given. Each raw transaction is sent without its 0x to /wallet/broadcasthex of a node.',
      },
      { command: TRON_PLAN },
      {
        text: "On TON the plan names each wallet's seqno (0 where it was never paid from) and the time of a late block in milliseconds; of each jetton its master as contract, the owner's jetton wallet, and the code of that wallet in base64, as explorers show it. The orders are good for 12 hours from that time; hours, up to 24, and tokenCoin may be given. Each raw message is sent as boc to sendBoc of a node; about 0.05 TON an order stay behind.",
      },
      { command: TON_PLAN },
      {
        text: 'On Bitcoin the plan names the fee in satoshi for 1,000 virtual bytes (10000 is 10 for each) and of each address its coins: transaction, number of the output, satoshi. Of an address that begins with bc1q and has several, each coin comes with the whole transaction that made it, in hexadecimal digits. Each raw transaction is sent to sendrawtransaction of a node.',
      },
      { command: BITCOIN_PLAN },
      {
        steps: [
          'Carry the plan to the computer without a network and run the command below.',
          'Read aloud what each transaction does: from, how much, of what, to whom, at most which fee. It is told from the bytes that will be signed.',
          'Type the words it asks for (SWEEP and eight characters) only if all of it is right. Anything else signs nothing.',
          'Carry signed.json to a machine with a network and send each "raw" in its order, as below or with any wallet that can broadcast. Wait until one of an address is in a block before the next of that address.',
          'Consider this key used up: the whole of it was in one place. Never receive on it again.',
        ],
      },
      { command: sweepLine(facts, '') },
      { command: SEND },
      { heading: '7. When a share is missing, corrupt or wrong' },
      {
        steps: [
          'Compare the fingerprint of the kit that the tool prints with the one above. Where they differ, this copy is damaged: take another.',
          `Any ${facts.signersNeeded} good shares are enough to recover: bring officers of the third signer.`,
          'Too few officers: bring others of the same signer. The table above has the fingerprint of each; recover new-identity showed it when the identity was made.',
          'WRONG EPOCH or OF ANOTHER KIT: look for the kit of that epoch. Kits of older epochs rebuild the same key as long as all shares come from one of them.',
          'The signers still run: propose new shares (Keys and recovery: Refresh shares, or Repair signer) and verify the kit that follows. A drill with a kit that is not sound proves nothing and is not accepted.',
          'Never send money to a key whose recovery is not proven, and never hand identity files to anybody who offers to help from afar.',
        ],
      },
      { heading: '8. Without this tool' },
      {
        text: 'Everything is documented and has a second implementation: sealed parts are files of age (age-encryption.org, hybrid ML-KEM-768 with X25519); docs/protocol.md of the product describes the shares and how keys of addresses are derived; test/vectors/check_recovery.py rebuilds keys from opened shares with nothing but Python.',
      },
    ],
  },
  'zh-CN': {
    title: '如何用恢复包恢复密钥',
    facts: (facts) => [
      ['机构', facts.organisation],
      ['机构指纹', facts.fingerprint],
      ...facts.keys.flatMap(({ keyId, protocol, epoch }): [string, string][] => [
        ['密钥', keyId],
        ['密钥类型与轮次', `${protocol}，轮次 ${epoch}`],
      ]),
      ['恢复包文件', facts.fileName],
      ['恢复包指纹', facts.kitHash],
      ['写入时间', facts.writtenAt],
      ['其中列出的地址数', facts.addresses],
      ...facts.signers.map(({ party, name, operator, needs, officers }): [string, string] => [
        `签名方 ${party} 的分片（${name}，${operator}）`,
        officers.length === 0
          ? '不在此恢复包中'
          : [`以下 ${officers.length} 名负责人中的 ${needs} 名可打开（请写明持有人）：`, ...officers.map(withBlank)].join('\n'),
      ]),
    ],
    blocks: (facts) => [
      { text: '请打印本页，与每一份恢复包放在一起。本页不含任何秘密，供从未使用过本产品的人阅读。' },
      { heading: '1. 用途' },
      {
        text: `三个签名方各持有密钥的一个分片，${facts.signersNeeded} 个分片即可组成完整密钥，任何人都只有一个。恢复包含有全部分片的副本，并加密给贵机构的负责人。当签名方、服务器或其运营者不复存在时，可用它重建密钥。`,
      },
      {
        items: [
          '演练：至少每 90 天证明一次恢复包可用。密钥在内存中重建、签署一份证明，随即丢弃。不会转移任何资金。',
          '恢复：把全部资产转到另一地址。仅在产品已无法付款时进行。此后不得再使用该密钥。',
        ],
      },
      { heading: '2. 恢复包中有什么、没有什么' },
      {
        items: [
          '有：加密的分片（均由各签名方签名）、公钥与链码、写入时已知的地址、机构的创立文件。',
          '没有：任何能打开分片的东西。只有负责人的身份文件能打开分片，而身份文件不在别处。',
          '此后给出的地址属于同一密钥，工具会自行找到。',
        ],
      },
      { heading: '3. 需要携带' },
      {
        items: [
          `恢复包：文件 ${facts.fileName}。`,
          `恢复工具：文件 ${TOOL}。由持有本产品的人用 npm run recover -- pack ${TOOL} 生成。同一版本总是得到相同的字节；请抄下所显示的 SHA-256：____________________________________________`,
          '一台没有网络、此后也不再联网的计算机：拔掉网线，关闭无线。需要 Node.js 24 或更新版本（来自 nodejs.org，用 U 盘带来）。',
          `${facts.signersNeeded} 个不同签名方的负责人，各自携带为其生成的身份文件（以 # created 开头，含一行 AGE-SECRET-KEY-PQ-1…）。每个签名方需几名，见上表。`,
          '一个空 U 盘，用于带出结果。若要恢复资产，还需第 6 节的计划文件。',
          '至少两人互相监督，以及本页。',
        ],
      },
      { heading: '4. 演练步骤' },
      {
        steps: [
          '在无网络状态下启动计算机。把工具、恢复包和身份文件复制到同一个空文件夹，并在其中打开终端。',
          `核对工具：sha256sum ${TOOL}（Mac 上为 shasum -a 256 ${TOOL}）显示的内容必须与抄下的一致。`,
          '运行下面的命令，每个身份文件写一个 --identity。请将机构指纹与另行保存的副本核对。',
          '将显示的若干地址与控制台中的地址核对。',
          '把文件 drill 带到控制台：密钥与恢复、验证恢复、提交演练记录。',
          '从该计算机删除身份文件并关机。在此之前内存中可能仍有密钥。',
        ],
      },
      { command: withFingerprint(verifyLine(facts, ' --lang zh-CN'), facts) },
      { heading: '5. 输出的含义' },
      {
        meanings: [
          ['已打开，与公开承诺一致', '该分片完好。'],
          ['未打开：给出的身份均不是其接收方', '该签名方的负责人均不在场。只要另外两个分片完好，就不是错误。'],
          ['未打开：须由 … 名负责人共同打开', '该签名方有负责人在场，但人数不足。其下各行说明缺少谁的身份。'],
          ['恢复包中缺失', '恢复包中没有该签名方的分片。'],
          ['在恢复包中出现两次', '有两个分片自称属于该签名方：文件被改动或拼接有误。'],
          ['已损坏', '分片在签名方签名后被改动、无法打开，或与公钥不一致。不会被使用。'],
          ['错误', '分片属于另一机构、另一密钥或另一签名方。不会被使用。'],
          ['轮次错误', '分片来自更换分片之前或之后。不同轮次的分片不能组合。不会被使用。'],
          ['已损坏：此份无法使用', '该负责人的一份无法打开或与其他份不符。同一签名方的其他负责人可能已足够。'],
          ['属于另一恢复包', '该负责人的一份属于另一次加密、另一轮次或另一密钥。'],
          ['无法打开此恢复包中的任何内容', '该身份文件属于另一恢复包，或该密钥加密给了其他负责人。'],
          ['重建密钥，与恢复包中的密钥一致', '分片得到的正是恢复包中公钥的私钥。'],
          ['未能重建密钥', '完好的分片不足两个。见第 7 节。'],
          ['重建的密钥已签署演练记录', '证明已写出，命令的退出码为 0；1 表示恢复包不成立，2 表示命令有误，3 表示文件无法读写。'],
        ],
      },
      { heading: '6. 恢复：转出全部资产' },
      {
        text: '请先完成演练。然后在联网的机器上，根据可信的区块浏览器或节点写出计划文件：每个地址的 nonce（已发出的交易数）、余额与代币，均以最小单位、加引号填写；当日手续费；以及接收地址。请核对接收地址两遍：转出后无法撤回。',
      },
      { command: PLAN },
      {
        text: 'chain 为 eip155: 加网络编号。没有代币时可省略 tokens。藏品（NFT）的 contract 写作 erc721:0x…/0x1a 或 erc1155:0x…/0x1a，其中编号用十六进制。找不到的地址须写明 "path"，例如 "30/0"。可另写 coinGasLimit 与 tokenGasLimit。若 maxPriorityFeePerGas 等于 maxFeePerGas，没有代币的地址将不留余额。部分网络另收费用：在 OP Stack 网络（如 Base）上，写入的 balance 须扣除数据费（通常 0.0001 ETH 即可）；在 Arbitrum 上须写更高的 coinGasLimit。',
      },
      {
        text: '在 TRON 上，计划不写 nonce 与当日手续费，而是写明一个较新的最终区块：其编号（block）与毫秒时间（blockTimeMs），以及每笔代币转账最多燃烧的 sun 数量（tokenFeeLimit）。交易自该区块起 12 小时内有效；可另写 hours（最多 23）与 coinFee。发送时去掉 0x，提交到节点的 /wallet/broadcasthex。',
      },
      { command: TRON_PLAN },
      {
        text: '在 TON 上，计划写明每个钱包的 seqno（从未转出时为 0）与一个较新区块的毫秒时间（blockTimeMs）；每种 jetton 写明主合约（contract）、持有者的 jetton 钱包（wallet）及该钱包的代码（walletCode，base64，区块浏览器可查）。指令自该时间起 12 小时内有效；可另写 hours（最多 24）与 tokenCoin。每条原始消息以 boc 提交到节点的 sendBoc；每笔约剩 0.05 TON。',
      },
      { command: TON_PLAN },
      {
        text: '在 Bitcoin 上，计划写明每 1,000 虚拟字节的手续费（satPerKvb，单位聪；10000 即每字节 10 聪），以及每个地址的各笔币：交易编号（txid）、输出序号（index）、数量（amount，单位聪）。以 bc1q 开头且有多笔币的地址，每笔须附上产生它的完整交易（transaction，十六进制）。每笔 raw 交易发送至节点的 sendrawtransaction。',
      },
      { command: BITCOIN_PLAN },
      {
        steps: [
          '把计划文件带到无网络的计算机，运行下面的命令。',
          '逐笔朗读：来源、数量、资产、接收地址、最高手续费。内容取自即将签名的字节。',
          '全部无误后，才输入它要求的文字（SWEEP 加八个字符）。输入其他内容则不签名。',
          '把 signed.json 带到联网的机器，按顺序发送每个 "raw"，可用下面的命令或任何能广播的钱包。同一地址的一笔进入区块后，再发送下一笔。',
          '该密钥视为已用尽：它曾完整地出现在一处。不得再用它收款。',
        ],
      },
      { command: sweepLine(facts, ' --lang zh-CN') },
      { command: SEND },
      { heading: '7. 分片缺失、损坏或错误时' },
      {
        steps: [
          '将工具显示的恢复包指纹与上表核对。若不一致，说明此副本已损坏，请换用另一份副本。',
          `任意 ${facts.signersNeeded} 个完好的分片即可恢复：请第三个签名方的负责人到场。`,
          '负责人不足：请同一签名方的其他负责人到场。上表列有每人的指纹，生成身份时 recover new-identity 曾显示过。',
          '轮次错误或属于另一恢复包：找出该轮次的恢复包。旧轮次的恢复包可重建同一密钥，只要全部分片来自同一轮次。',
          '签名方仍在运行：提议更换分片（密钥与恢复：更换分片，或修复签名方），并验证随后的恢复包。用不完好的恢复包所作的演练不能证明任何事，也不会被接受。',
          '切勿向未证明可恢复的密钥付款，也切勿把身份文件交给远程提供帮助的人。',
        ],
      },
      { heading: '8. 没有此工具时' },
      {
        text: '一切均有文档，并有第二种实现：加密的各份是 age 文件（age-encryption.org，ML-KEM-768 与 X25519 混合）；本产品的 docs/protocol.md 说明分片的格式与地址密钥的推导；test/vectors/check_recovery.py 仅用 Python 即可由已打开的分片重建密钥。',
      },
    ],
  },
}
