-- The key that seals secrets can be replaced: what it sealed is sealed anew.
grant update (sealed_secret) on webhook_key to holdfast_system;
