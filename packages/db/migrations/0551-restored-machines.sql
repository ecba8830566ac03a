-- A backup is restored by the system, which therefore writes what machines signed and how co-signers were linked.
grant insert on machine_signature, machine_link, machine_told to holdfast_system;
