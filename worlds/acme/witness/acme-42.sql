-- total loss by claim with its policies and holders, and the premium of the claimed coverages
with marked as (
  select a.Claim_Amount_Identifier as amount_id, a.Claim_Identifier as claim_id, a.Claim_Amount as amount, m.kind
  from claim_amount a
  join (select Claim_Amount_Identifier, 'loss payment' as kind from loss_payment
        union all select Claim_Amount_Identifier, 'loss reserve' from loss_reserve
        union all select Claim_Amount_Identifier, 'expense payment' from expense_payment
        union all select Claim_Amount_Identifier, 'expense reserve' from expense_reserve) m
    on m.Claim_Amount_Identifier = a.Claim_Amount_Identifier
),
claim_policy as (
  select distinct cc.Claim_Identifier as claim_id, p.Policy_Identifier as policy_id, p.Policy_Number as policy_number
  from claim_coverage cc
  join policy_coverage_detail d on d.Policy_Coverage_Detail_Identifier = cc.Policy_Coverage_Detail_Identifier
    and d.Effective_Date = cc.Effective_Date
  join policy p on p.Policy_Identifier = d.Policy_Identifier
),
holder as (
  select distinct Agreement_Identifier as policy_id, Party_Identifier as party_id
  from agreement_party_role where Party_Role_Code = 'PH'
),
paid as (
  select a.Policy_Amount_Identifier as amount_id, a.Policy_Amount as amount,
    d.Effective_Date as starts, d.Expiration_Date as ends, d.Policy_Coverage_Detail_Identifier as coverage_id,
    p.Policy_Identifier as policy_id, p.Policy_Number as policy_number
  from policy_amount a
  semi join premium m on m.Policy_Amount_Identifier = a.Policy_Amount_Identifier
  left join policy_coverage_detail d on d.Policy_Coverage_Detail_Identifier = a.Policy_Coverage_Detail_Identifier
    and d.Effective_Date = a.Effective_Date
  left join policy p on p.Policy_Identifier = d.Policy_Identifier
), loss as (
  select c.Company_Claim_Number as claim_number, cp.policy_number, holder.party_id as policy_holder_id,
  sum(m.amount) as total_loss
  from marked m
  join claim c on c.Claim_Identifier = m.claim_id
  left join claim_policy cp on cp.claim_id = m.claim_id
  left join holder on holder.policy_id = cp.policy_id
  group by all
), earned as (
  -- The premium of the coverage under which the claim was made: one year's, not the policy's whole life.
  select c.Company_Claim_Number as claim_number, paid.policy_number, holder.party_id as policy_holder_id, sum(paid.amount) as total_premium
  from paid
  join claim_coverage cc on cc.Policy_Coverage_Detail_Identifier = paid.coverage_id and cc.Effective_Date = paid.starts
  join claim c on c.Claim_Identifier = cc.Claim_Identifier
  left join holder on holder.policy_id = paid.policy_id
  group by all
)
select loss.claim_number, loss.policy_number, loss.policy_holder_id, loss.total_loss, earned.total_premium
from loss left join earned on earned.claim_number is not distinct from loss.claim_number and earned.policy_number is not distinct from loss.policy_number and earned.policy_holder_id is not distinct from loss.policy_holder_id
