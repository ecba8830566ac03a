import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about networks, their nodes, coins and addresses. */
export const networkErrors = defineErrors({
  unsupported_coin: entry('120202', 'toast', 'This coin is not supported here. Choose one from the list.', '暂不支持该币种。请从列表中选择。'),
  node_unavailable: entry(
    '300082',
    'toast',
    "This network's node gives no usable answer right now. Try again in a moment; see the network status.",
    '该网络节点暂无有效响应。请稍后重试，详见网络状态。',
  ),
  node_configuration: entry(
    '200013',
    'toast',
    'The node of this network is not set up. Ask the operator of the server to configure it.',
    '该网络的节点尚未配置。请联系服务器运维人员配置。',
  ),
  invalid_transfer_address: entry(
    '110055',
    'toast',
    'This is not a valid address on this network. Check that you copied all of it, and that the network is right.',
    '该地址不是此网络的有效地址。请检查地址是否完整、网络是否正确。',
  ),
})
