-- The rule of the policy that is to decide on an order, where more than one may: limits that are used up pass an order on to the next rule.

alter table transfer_order add column if not exists rule_id text check (char_length(rule_id) between 1 and 64);
