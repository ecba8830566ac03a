-- A batch that an API key asks for names the machine where others name a person.
alter table batch_transfer drop constraint if exists batch_transfer_org_id_initiator_fkey;
