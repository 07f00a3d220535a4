-- all policies, those without a holder too
with holder as (
  select distinct Agreement_Identifier as policy_id, Party_Identifier as party_id
  from agreement_party_role where Party_Role_Code = 'PH'
)
select p.Policy_Number as policy_number, holder.party_id as policy_holder_id
from policy p left join holder on holder.policy_id = p.Policy_Identifier
