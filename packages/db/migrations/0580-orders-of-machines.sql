-- Whoever asks for something that people decide may be a machine of the policy, by the id under which it stands where orders name people. No person has it.
alter table proposal drop constraint if exists proposal_org_id_initiator_fkey;
